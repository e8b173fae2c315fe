"""python3 scripts/training/listen/train.py --name NAME --steps N [--plain] [--no-phones]; ends early on TERM, with all saved."""
import argparse
import signal
import time

import numpy as np
import torch
import torch.nn.functional as F

from features import PHONES, WORK
from model import LETTERS, STACK, Recogniser, hidden, normalised, varied

SEED, BATCH, RATE, WARM_UP, SAVE_EVERY = 24, 16, 2e-3, 40, 50


def batches(kept, dice):
    """Sentences of about the same length together, so that little is padded."""
    starts = np.concatenate([[0], np.cumsum(kept["lengths"])])
    while True:
        lengths = kept["lengths"] * dice.uniform(0.9, 1.1, len(kept["lengths"]))
        groups = np.array_split(np.argsort(lengths), len(lengths) // BATCH)
        for at in dice.permutation(len(groups)):
            chosen = groups[at]
            frames = int(max(kept["lengths"][chosen])) // STACK * STACK + STACK
            spectra = np.full((len(chosen), frames, kept["spectra"].shape[1]), -9.0, np.float32)
            phones = np.zeros((len(chosen), frames), np.int64)
            for row, index in enumerate(chosen):
                part = slice(starts[index], starts[index + 1])
                spectra[row, :kept["lengths"][index]] = kept["spectra"][part]
                phones[row, :kept["lengths"][index]] = kept["phones"][part]
            yield torch.tensor(spectra), torch.tensor(kept["lengths"][chosen]), torch.tensor(phones[:, STACK // 2::STACK]), [str(kept["texts"][index]) for index in chosen]


def letters_loss(letters, lengths, texts):
    targets = [[LETTERS.index(letter) for letter in text] for text in texts]
    sizes = torch.tensor([len(one) for one in targets])
    return F.ctc_loss(letters.transpose(0, 1), torch.tensor(sum(targets, [])), lengths // STACK, sizes, zero_infinity=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--plain", action="store_true", help="the speech as it is: no noise, rooms or other throats")
    parser.add_argument("--no-phones", action="store_true", help="letters alone")
    asked = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    dice = torch.Generator().manual_seed(SEED)
    kept = {name: value for name, value in np.load(WORK / "train.npz").items()}
    model = Recogniser()
    mean = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.97), use_buffers=True)
    optimiser = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.01)
    ends = []
    signal.signal(signal.SIGTERM, lambda *_: ends.append(True))
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.2f} M parameters", flush=True)
    for step, (spectra, lengths, phones, texts) in enumerate(batches(kept, np.random.default_rng(SEED)), 1):
        spectra = normalised(spectra if asked.plain else varied(spectra, dice), lengths)
        spectra = spectra if asked.plain else hidden(spectra, dice)
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, step / WARM_UP) * min(1, 0.1 + 3 * (1 - step / asked.steps))
        with torch.autocast("cpu", torch.bfloat16):
            by_phone, by_letter = model(spectra)
        by_phone, by_letter = by_phone.float(), by_letter.float()
        phone_loss = F.nll_loss(by_phone.flatten(0, 1), phones.flatten())
        letter_loss = letters_loss(by_letter, lengths, texts)
        loss = letter_loss if asked.no_phones else letter_loss + 2 * phone_loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        mean.update_parameters(model)
        if step % 10 == 0:
            right = (by_phone.argmax(-1) == phones).float().mean()
            print(f"{step} phones {phone_loss:.3f} ({right:.2f} right) letters {letter_loss:.3f} processor {time.process_time():.0f} s", flush=True)
        if step % SAVE_EVERY == 0 or step == asked.steps or ends:
            counts = np.bincount(kept["phones"], minlength=len(PHONES))
            torch.save({"weights": mean.module.state_dict(), "priors": counts / counts.sum(), "steps": step, "seconds": time.process_time()}, WORK / f"{asked.name}.pt")
            if step == asked.steps or ends:
                return


if __name__ == "__main__":
    main()
