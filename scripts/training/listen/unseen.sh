#!/bin/sh
# The held-out sentences by espeak-ng, which training never hears: .work/unseen.pcm and .jsonl. Debian: espeak-ng, python3
set -e
python3 - <<'PYTHON'
import json, subprocess, wave, io
WORK = "scripts/training/listen/.work/"
VOICES = ["en-us", "en-gb", "en-gb-scotland", "en-us+f3", "en-gb-x-rp+m4"]
with open(WORK + "unseen.pcm", "wb") as sound, open(WORK + "unseen.jsonl", "w") as lines:
    for index, line in enumerate(map(json.loads, open(WORK + "held.jsonl"))):
        voice = VOICES[index % len(VOICES)]
        done = subprocess.run(["espeak-ng", "-v", voice, "-s", "155", "--stdout", line["text"]], capture_output=True, check=True)
        file = wave.open(io.BytesIO(done.stdout))
        samples = file.readframes(1 << 30)
        sound.write(samples)
        lines.write(json.dumps({"kind": line["kind"], "text": line["text"], "voice": voice, "rate": file.getframerate(), "bytes": len(samples)}) + "\n")
PYTHON
