"""A classical recogniser, fitted and not trained: python3 scripts/training/listen/gaussians.py NAME [--plain]

Two states a phone; the spectra around a frame reduced by linear discriminants; one Gaussian for each state. Its fit takes
seconds, so it says what these data can do before hours are spent on a network.
"""
import argparse

import numpy as np
import torch

from features import MELS, PHONES, WORK
from model import normalised, varied

SEED, STEP, AROUND, KEPT = 24, 2, range(-8, 9, 2), 36


def states_of(phones):
    """The first and the second half of each phone are two states; a pause is one."""
    changes = np.flatnonzero(np.diff(phones)) + 1
    ends = np.append(changes, len(phones))
    starts = np.insert(changes, 0, 0)
    states = 2 * phones.astype(int)
    for start, end in zip(starts, ends):
        if phones[start] != 0:
            states[(start + end) // 2:end] += 1
    return states


def around(spectra):
    """Each second frame with its neighbours: (sentences, frames, MELS) to (sentences, frames / 2, all of them)."""
    reach = max(AROUND)
    padded = np.pad(spectra, ((0, 0), (reach, reach), (0, 0)))
    frames = spectra.shape[1]
    return np.concatenate([padded[:, reach + at:reach + at + frames:STEP] for at in AROUND], 2)


def padded_batches(kept, size):
    starts = np.concatenate([[0], np.cumsum(kept["lengths"])])
    order = np.argsort(kept["lengths"])
    for chosen in np.array_split(order, max(1, len(order) // size)):
        lengths = kept["lengths"][chosen]
        spectra = np.full((len(chosen), lengths.max(), MELS), -9.0, np.float32)
        for row, index in enumerate(chosen):
            spectra[row, :lengths[row]] = kept["spectra"][starts[index]:starts[index + 1]]
        yield chosen, torch.tensor(spectra), torch.tensor(lengths), starts


def frames_and_states(kept, is_plain):
    dice = torch.Generator().manual_seed(SEED)
    for chosen, spectra, lengths, starts in padded_batches(kept, 64):
        even = normalised(spectra if is_plain else varied(spectra, dice), lengths).numpy()
        wide = around(even)
        for row, index in enumerate(chosen):
            states = states_of(kept["phones"][starts[index]:starts[index + 1]])[::STEP]
            yield wide[row, :len(states)], states


def fit(kept, is_plain):
    pairs = list(frames_and_states(kept, is_plain))
    x, states = np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])
    count = 2 * len(PHONES)
    counts = np.bincount(states, minlength=count)
    order = np.argsort(states, kind="stable")
    parts = np.split(x[order], np.cumsum(counts)[:-1])
    means = np.stack([part.mean(0) if len(part) else x.mean(0) for part in parts])
    total = np.cov(x, rowvar=False)
    spread = means - x.mean(0)
    between = (spread * (counts / counts.sum())[:, None]).T @ spread
    within = total - between + 1e-3 * np.eye(len(total))
    root = np.linalg.inv(np.linalg.cholesky(within))
    _, vectors = np.linalg.eigh(root @ between @ root.T)
    plane = (root.T @ vectors[:, ::-1][:, :KEPT]).astype(np.float32)
    reduced = [part @ plane for part in parts]
    centres = means @ plane
    covariances = np.stack([0.9 * np.cov(part, rowvar=False) + 0.1 * np.eye(KEPT) if len(part) > KEPT else np.eye(KEPT) for part in reduced])
    return {"plane": plane, "centres": centres, "precisions": np.linalg.inv(covariances), "sizes": np.linalg.slogdet(covariances)[1], "counts": counts}


def likelihoods(fitted, spectra):
    """The log-likelihood of each state for each second frame of one sentence."""
    points = around(spectra[None])[0] @ fitted["plane"]
    apart = points[None] - fitted["centres"][:, None]
    distance = (apart @ fitted["precisions"] * apart).sum(-1)
    scores = -0.5 * (distance + fitted["sizes"][:, None])
    scores[fitted["counts"] == 0] = -1e4
    return scores.T


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--plain", action="store_true", help="the speech as it is: no noise, rooms or other throats")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    kept = {name: value for name, value in np.load(WORK / "train.npz").items()}
    np.savez(WORK / f"{asked.name}.fit.npz", **fit(kept, asked.plain))


if __name__ == "__main__":
    main()
