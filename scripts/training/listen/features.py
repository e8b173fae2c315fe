"""Log-mel spectra and phones, computed once: python3 scripts/training/listen/features.py"""
import json
import sys
from pathlib import Path

import numpy as np

WORK = Path("scripts/training/listen/.work")
RATE, HOP, WINDOW, FFT, MELS = 16000, 160, 400, 512, 40
PHONES = ["pau", *"aa ae ah ao aw ax ay b ch d dh eh er ey f g hh ih iy jh k l m n ng ow oy p r s sh t th uh uw v w y z zh".split()]
SEED = 24


def mel_filters():
    def mel(hertz):
        return 1127 * np.log1p(hertz / 700)

    points = np.linspace(mel(60), mel(7600), MELS + 2)
    bins = mel(np.arange(FFT // 2 + 1) * RATE / FFT)
    rising = (bins[None] - points[:-2, None]) / (points[1:-1] - points[:-2])[:, None]
    falling = (points[2:, None] - bins[None]) / (points[2:] - points[1:-1])[:, None]
    return np.maximum(0, np.minimum(rising, falling)).astype(np.float32)


FILTERS = mel_filters().T
HANN = np.hanning(WINDOW).astype(np.float32)


def log_mel(samples):
    """Frames of 10 ms. The floor is that of 16 bits, so that digital silence is not minus infinity."""
    count = max(1, (len(samples) - WINDOW) // HOP + 1)
    padded = np.pad(samples, (0, max(0, WINDOW - len(samples))))
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][:count]
    power = np.abs(np.fft.rfft(frames * HANN, FFT).astype(np.complex64)) ** 2
    return np.log(power @ FILTERS + 1e-5).astype(np.float16)


def resampled(samples, factor):
    """Read at another speed: pitch, formants and speed change together, as if another throat spoke."""
    at = np.arange(0, len(samples) - 1, factor)
    return np.interp(at, np.arange(len(samples)), samples).astype(np.float32)


def phones_per_frame(phones, factor, frames):
    ends = [(piece.split(":")[0], float(piece.split(":")[1]) / factor) for piece in phones.split()]
    centres = np.arange(frames) * HOP / RATE + WINDOW / RATE / 2
    index = np.minimum(np.searchsorted([end for _, end in ends], centres), len(ends) - 1)
    return np.array([PHONES.index(name) for name, _ in ends], np.int8)[index]


def compute(name, is_varied, dice):
    lines = [json.loads(line) for line in open(WORK / f"{name}.jsonl")]
    sound = open(WORK / f"{name}.pcm", "rb")
    spectra, labels = [], []
    for line in lines:
        samples = np.frombuffer(sound.read(line["bytes"]), np.int16).astype(np.float32) / 32768
        factor = float(np.exp(dice.uniform(np.log(0.84), np.log(1.19)))) if is_varied else 1.0
        spectra.append(log_mel(resampled(samples, factor * line["rate"] / RATE)))
        if "phones" in line:
            labels.append(phones_per_frame(line["phones"], factor, len(spectra[-1])))
    kept = {"lengths": [len(one) for one in spectra], "spectra": np.concatenate(spectra), "texts": [line["text"] for line in lines], "kinds": [line["kind"] for line in lines], "voices": [line["voice"] for line in lines]}
    np.savez(WORK / f"{name}.npz", **kept, **({"phones": np.concatenate(labels)} if labels else {}))
    print(f"{name}: {len(lines)} sentences, {sum(kept['lengths']) / 100 / 3600:.2f} hours")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["train", "held"]:
        compute(name, name == "train", np.random.default_rng(SEED))
