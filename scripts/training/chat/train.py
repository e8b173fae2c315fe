"""Trains a starter model that chats on the folder that make-data wrote. Stop it with SIGTERM; the same command goes on."""

import argparse
import copy
import json
import os
import random
import signal
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F

from model import Llama, read_weights
from muon import Muon

parser = argparse.ArgumentParser()
WORK = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".work")
parser.add_argument("--data", default=WORK, help="folder of make-data")
parser.add_argument("--out", default=WORK, help="folder of the checkpoint and the weights")
parser.add_argument("--start", help="weights to begin with where there is no checkpoint: of import_gguf.py, or of another stage")
parser.add_argument("--tokens", type=float, default=40e6, help="tokens to train on, over all runs")
parser.add_argument("--more", nargs="*", default=[], metavar="SKILL=TIMES", help="how much more often a stage draws the skills whose names begin so")
parser.add_argument("--decay", type=float, default=0.6, help="share of the tokens, at the end, in which the rate falls to nothing")
parser.add_argument("--batch", type=int, default=3200, help="tokens of a step")
parser.add_argument("--micro", type=int, default=2048, help="padded tokens that are computed at once")
parser.add_argument("--save-seconds", type=float, default=180)
parser.add_argument("--eval-tokens", type=float, default=1.6e6, help="tokens between two evaluations")
parser.add_argument("--compile", action="store_true", help="half as fast again, with PyTorch 2 and a C++ compiler")
parser.add_argument("--seed", type=int, default=7)
options = parser.parse_args()

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CHECKPOINT = os.path.join(options.out, "checkpoint.pt")
ROW = 4  # offset, tokens of the prompt, tokens in all, skill


class Samples:
    """What make-data wrote: tokens one after another, and a row of four numbers for each sample."""

    def __init__(self, folder, name, skills):
        self.tokens = np.memmap(os.path.join(folder, f"{name}.tokens"), dtype=np.uint16, mode="r")
        rows = np.fromfile(os.path.join(folder, f"{name}.rows"), dtype=np.int32)
        self.rows = rows.reshape(-1, ROW)
        self.of = {skill: np.where(self.rows[:, 3] == index)[0] for index, skill in enumerate(skills)}

    def take(self, index):
        offset, prompt, total, _ = self.rows[index]
        return self.tokens[offset : offset + total].astype(np.int64), int(prompt)


def length_limit(tokens):
    """Short skills first: what is long costs most and teaches least while nothing can be copied yet."""
    return 96 if tokens < 1.6e6 else 160 if tokens < 4e6 else 384 if tokens < 7e6 else 2048


def emphasis(skill, tokens, first):
    """Copying first and alone: learned at a stroke then, and hardly ever by attention that other skills have narrowed."""
    if tokens < first["tokens"]:
        return 1 if skill in first["skills"] else 0
    return 2 if tokens < 3e6 and skill.startswith(("text-", "read")) else 1


LENGTHS = [32, 48, 64, 96, 128, 160, 256, 384, 512, 768, 1024, 1536, 2048]


def padded(count):
    """Of few different sizes, because the kernels are compiled anew for each."""
    return next(length for length in LENGTHS if length >= count)


class Feed:
    """Samples drawn by the weights of their skills, and handed out as soon as there are enough of about one length."""

    def __init__(self, samples, weights, first, state):
        self.samples, self.weights, self.first = samples, weights, first
        # What waits is told by its place, so it is of no use in other data.
        size = [len(samples.tokens), len(samples.rows)]
        if state.get("data") != size:
            state.update(data=size, waiting={})
        self.waiting = state["waiting"]
        self.state = state

    def next(self, tokens):
        limit = length_limit(tokens)
        shares = [weight * emphasis(name, tokens, self.first) for name, weight in self.weights.items()]
        while True:
            self.state["drawn"] = self.state.get("drawn", 0) + 1
            dice = random.Random(options.seed * 1_000_003 + self.state["drawn"])
            of = self.samples.of[dice.choices(list(self.weights), shares)[0]]
            index = int(of[dice.randrange(len(of))])
            length = padded(int(self.samples.rows[index][2]) - 1)
            if length > limit:
                continue
            group = self.waiting.setdefault(length, [])
            group.append(index)
            if len(group) >= max(1, options.micro // length):
                return [self.samples.take(each) for each in self.waiting.pop(length)]


def tensors(group):
    longest = padded(max(len(tokens) for tokens, _ in group) - 1)
    inputs = torch.zeros(len(group), longest, dtype=torch.long)
    targets = torch.full((len(group), longest), -100, dtype=torch.long)
    for row, (tokens, prompt) in enumerate(group):
        inputs[row, : len(tokens) - 1] = torch.from_numpy(tokens[:-1])
        targets[row, prompt - 1 : len(tokens) - 1] = torch.from_numpy(tokens[prompt:])
    return inputs.to(DEVICE), targets.to(DEVICE)


def answer_loss(model, group):
    """The loss of the answers alone. A long answer counts more than a short one, but not by its length."""
    inputs, targets = tensors(group)
    places = (targets.flatten() >= 0).nonzero().flatten()
    share = (targets >= 0).sum(1, keepdim=True).float().rsqrt().expand(targets.shape).flatten()[places]
    wanted = padded_places(places)
    if options.compile:
        torch._dynamo.mark_dynamic(wanted, 0)
    logits = model(inputs, wanted).float()[: len(places)]
    loss = F.cross_entropy(logits, targets.flatten()[places], reduction="none")
    return (loss * share).sum(), share.sum().item()


def padded_places(places):
    return F.pad(places, (0, -len(places) % 256))


@torch.no_grad()
def evaluate(model, samples, skills, limit=60):
    """The share of unseen samples whose whole answer the model would write, word for word, when it takes the likeliest token."""
    scores = {}
    for skill in skills:
        taken = [samples.take(index) for index in samples.of[skill][:limit]]
        by_length = {}
        for each in taken:
            by_length.setdefault(padded(len(each[0]) - 1), []).append(each)
        right = 0
        for length, all_of in by_length.items():
            rows = max(1, options.micro // length)
            for group in (all_of[at : at + rows] for at in range(0, len(all_of), rows)):
                inputs, targets = tensors(group + group[:1] * (rows - len(group)))
                hit = (targets < 0).flatten()
                places = (~hit).nonzero().flatten()
                hit[places] = model(inputs, padded_places(places))[: len(places)].argmax(-1) == targets.flatten()[places]
                right += int(hit.view(targets.shape).all(1)[: len(group)].sum())
        scores[skill] = round(right / max(1, len(taken)), 3)
    return scores


def write_weights(model, state, file):
    """safetensors, in single precision: what the exporter reads."""
    header, parts, offset = {}, [], 0
    for name, tensor in model.named_weights():
        data = tensor.detach().cpu().float().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    told = {**model.shape, "tokens": state["tokens"], "minutes": round(state["seconds"] / 60)}
    header["__metadata__"] = {key: str(value) for key, value in told.items()}
    text = json.dumps(header).encode()
    with open(file + ".part", "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for part in parts:
            out.write(part)
    os.replace(file + ".part", file)


def main():
    torch.manual_seed(options.seed)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.data, "meta.json")) as file:
        meta = json.load(file)
    skills, weights = meta["skills"], meta["weights"]
    for name, times in (each.split("=") for each in options.more):
        weights = {skill: weight * (float(times) if skill.startswith(name) else 1) for skill, weight in weights.items()}
    train, held = (Samples(options.data, name, skills) for name in ("train", "held"))
    shape = {"vocabulary": meta["vocabulary"], **meta["shape"]}
    model = Llama(**shape).to(DEVICE)
    state = {"step": 0, "tokens": 0, "seconds": 0.0}
    if options.start:
        notes, matrices = read_weights(options.start)
        model.set_weights(matrices)
        state.update(tokens=notes["tokens"], seconds=60.0 * notes["minutes"])
    # The mean of the latest weights is better than the latest, as long as the rate is high. It is what is written.
    mean = copy.deepcopy(model)
    optimizer = Muon(model)
    quick = model
    if options.compile:
        torch._dynamo.config.cache_size_limit = len(LENGTHS)
        quick = torch.compile(model, dynamic=False)
    if os.path.exists(CHECKPOINT):
        saved = torch.load(CHECKPOINT, map_location=DEVICE)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        mean.load_state_dict(saved.get("mean", saved["model"]))
        state = saved["state"]
    feed = Feed(train, weights, meta["first"], state)
    print("parameters", sum(weight.numel() for weight in model.parameters()), "device", DEVICE, "from token", state["tokens"], flush=True)

    def save():
        whole = {"model": model.state_dict(), "mean": mean.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**whole, "state": state}, CHECKPOINT + ".part")
        os.replace(CHECKPOINT + ".part", CHECKPOINT)
        write_weights(mean, state, os.path.join(options.out, "weights.safetensors"))

    stopping = []
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopping.append(True))
    cast = torch.autocast(DEVICE, dtype=torch.bfloat16)
    saved_at, evaluated_at, shown = time.time(), state["tokens"], []
    while state["tokens"] < options.tokens and not stopping:
        started = time.time()
        progress = state["tokens"] / options.tokens
        warm = min(1.0, (state["step"] + 1) / 100)
        optimizer.set_rate(warm * min(1.0, max(0.02, (1 - progress) / options.decay)))
        losses, total, tokens = 0.0, 0.0, 0
        while tokens < options.batch:
            group = feed.next(state["tokens"])
            tokens += sum(len(each) for each, _ in group)
            with cast:
                loss, share = answer_loss(quick, group)
            loss.backward()
            losses += loss.item()
            total += share
        optimizer.step(1 / total)
        with torch.no_grad():
            for old, new in zip(mean.parameters(), model.parameters()):
                old.lerp_(new, max(0.02, 1 / (state["step"] + 1)))
        state["step"] += 1
        state["tokens"] += tokens
        state["seconds"] += time.time() - started
        shown.append(losses / total)
        if state["step"] % 20 == 0:
            rate = tokens / (time.time() - started)
            print(f"step {state['step']} tokens {state['tokens']} loss {np.mean(shown):.4f} {rate:.0f} tokens/s", flush=True)
            shown = []
        if state["tokens"] - evaluated_at >= options.eval_tokens:
            evaluated_at = state["tokens"]
            with cast:
                print("held", json.dumps(evaluate(mean, held, skills)), flush=True)
        if time.time() - saved_at > options.save_seconds:
            save()
            saved_at = time.time()
    save()
    print("saved at token", state["tokens"], flush=True)


main()
