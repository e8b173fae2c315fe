"""Word error rates: python3 scripts/training/listen/evaluate.py NAME [--warp] [--sentences N]

NAME is a fit of gaussians.py, or a training of train.py. With --warp the sentence is read by the throat, out of five, that
makes its frames most likely.
"""
import argparse
import time
from collections import defaultdict

import numpy as np
import torch

from decode import Pairs, by_letters, by_phones, decode, errors, greedy
from features import MELS, WORK
from gaussians import likelihoods
from model import Recogniser, normalised

WARPS = [0.88, 0.94, 1.0, 1.06, 1.13]
STATE_SCALE, STATE_WEIGHT, STATE_PENALTY = 0.25, 1.2, -0.5
LETTER_WEIGHT, LETTER_PENALTY = 0.8, 1.0


def warped(spectra, factor):
    at = np.clip(np.arange(MELS) * factor, 0, MELS - 1.001)
    low = at.astype(int)
    return spectra[:, low] * (1 - at + low) + spectra[:, low + 1] * (at - low)


def ready(spectra):
    tensor = torch.tensor(spectra.astype(np.float32))[None]
    return normalised(tensor, torch.tensor([len(spectra)]))


def by_gaussians(name, pairs, is_warped):
    fitted = dict(np.load(WORK / f"{name}.fit.npz"))
    root = by_phones(pairs, states=2)

    def read(spectra):
        tried = [likelihoods(fitted, ready(warped(spectra, factor))[0].numpy()) for factor in (WARPS if is_warped else [1.0])]
        best = max(tried, key=lambda scores: scores.max(1).sum())
        frames = STATE_SCALE * (best - best.max(1, keepdims=True))
        return {"words": decode(frames.tolist(), root, pairs, STATE_WEIGHT, STATE_PENALTY, False)}

    return read


def by_network(name, pairs):
    kept = torch.load(WORK / f"{name}.pt", weights_only=False)
    model = Recogniser().eval()
    model.load_state_dict(kept["weights"])
    print(f"{kept['steps']} steps, {kept['seconds']:.0f} s of processor")
    root = by_letters(pairs)

    def read(spectra):
        with torch.no_grad():
            letters = model(ready(spectra))[1][0].numpy()
        return {"greedy": greedy(letters), "words": decode(letters.tolist(), root, pairs, LETTER_WEIGHT, LETTER_PENALTY, True)}

    return read


def measure(read, name, count):
    kept = dict(np.load(WORK / f"{name}.npz"))
    starts = np.concatenate([[0], np.cumsum(kept["lengths"])])
    wrong, of = defaultdict(int), defaultdict(int)
    for index in range(min(count, len(kept["texts"]))):
        meant = str(kept["texts"][index]).split()
        for way, said in read(kept["spectra"][starts[index]:starts[index + 1]].astype(np.float32)).items():
            for group in ("all", str(kept["kinds"][index]), str(kept["voices"][index])):
                wrong[way, group] += errors(said, meant)
                of[way, group] += len(meant)
            if index < 3:
                print(f"   {way}: {' '.join(said)}   <- {' '.join(meant)}")
    for way, group in sorted(of):
        print(f"{name:8} {way:7} {group:16} {wrong[way, group] / of[way, group]:6.1%} of {of[way, group]} words")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--warp", action="store_true")
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--sets", default="held,unseen")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    pairs = Pairs(open(WORK / "texts.txt").read().splitlines())
    is_fit = (WORK / f"{asked.name}.fit.npz").exists()
    read = by_gaussians(asked.name, pairs, asked.warp) if is_fit else by_network(asked.name, pairs)
    for name in asked.sets.split(","):
        begun = time.process_time()
        measure(read, name, asked.sentences)
        print(f"{time.process_time() - begun:.0f} s of processor")


if __name__ == "__main__":
    main()
