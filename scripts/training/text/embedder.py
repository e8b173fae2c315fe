"""Trains the starter's embedder and writes models/starter/embed: python3 scripts/training/text/embedder.py"""
import argparse
import math
import time
from collections import Counter

import numpy as np
import torch
from torch import nn

import onnx_file
import tokens
from shared import WORK, save_folder
from texts import ROOT, Texts
from words import seeded

WIDTH, DIMENSIONS, BUCKETS = 384, 1024, 8192
FIRST, SECOND = 40503, 30011
ACROSS_WORDS = 0.25
TOKENS_MAX = 8192
RATE = 2e-3
FACTS = {"kind": "a weighted sum of vectors of subwords and of their pairs, 8 bits",
         "data": "made-up sentences of 527 ideas in six languages and 35 kinds of facts, and askd's own documentation"}
OUT = ROOT / "models/starter/embed"


class Embedder(nn.Module):
    """The weighted sum of the vectors of tokens and of pairs of neighbours, turned into 1024 numbers."""

    def __init__(self, starts, frequencies):
        super().__init__()
        size = len(starts)
        self.vocabulary = size
        self.vectors = nn.EmbeddingBag(size + BUCKETS, WIDTH, mode="sum", sparse=True)
        nn.init.normal_(self.vectors.weight, std=1 / math.sqrt(WIDTH))
        rarity = torch.log(1 + 1 / (1e-4 + frequencies)) / math.log(1 + 1e4)
        self.weights = nn.Parameter(torch.cat([rarity, torch.full((BUCKETS,), 0.35)]))
        self.out = nn.Linear(WIDTH, DIMENSIONS, bias=False)
        nn.init.orthogonal_(self.out.weight)
        self.register_buffer("starts", torch.tensor(starts))

    def features(self, texts):
        """Ids of tokens and of hashed pairs, with what the kind of pair counts."""
        ids, factors, offsets = [], [], []
        starts = self.starts.tolist()
        for text in texts:
            offsets.append(len(ids))
            ids += text
            factors += [1.0] * len(text)
            for a, b in zip(text, text[1:]):
                ids.append(self.vocabulary + (a * FIRST + b * SECOND) % BUCKETS)
                factors.append(ACROSS_WORDS if starts[b] else 1.0)
        return torch.tensor(ids), torch.tensor(factors), torch.tensor(offsets)

    def forward(self, texts):
        ids, factors, offsets = self.features(texts)
        pooled = self.vectors(ids, offsets, per_sample_weights=self.weights[ids] * factors)
        return nn.functional.normalize(self.out(pooled), dim=-1)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--steps", type=int, default=2000)
    options.add_argument("--batch", type=int, default=256)
    options.add_argument("--threads", type=int, default=1)
    steps, batch, threads = vars(options.parse_args()).values()
    torch.manual_seed(7)
    torch.set_num_threads(threads)
    started = time.time()
    texts = Texts(seeded("embedder"))
    tokenizer = tokens.load(WORK / "merges.json")
    model = Embedder(tokenizer.starts_word(), frequencies(tokenizer, Texts(seeded("frequencies"))))
    dense = [model.weights, model.out.weight]
    optimisers = [torch.optim.SparseAdam([model.vectors.weight], lr=RATE), torch.optim.Adam(dense, lr=RATE)]
    for step in range(steps):
        for group in (group for optimiser in optimisers for group in optimiser.param_groups):
            group["lr"] = RATE * min(1, (step + 1) / 50) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))
        queries, positives, negatives = zip(*(texts.triple() for _ in range(batch)))
        q, p, n = (model([tokenizer.encode(text) or [3] for text in part]) for part in (queries, positives, negatives))
        scores = torch.cat([q @ p.T, q @ n.T], dim=1) / 0.06
        back = (p @ q.T) / 0.06
        target = torch.arange(batch)
        loss = nn.functional.cross_entropy(scores, target) + 0.5 * nn.functional.cross_entropy(back, target)
        for optimiser in optimisers:
            optimiser.zero_grad()
        loss.backward()
        for optimiser in optimisers:
            optimiser.step()
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.3f} {time.process_time():.0f} s", flush=True)
    torch.save(model.state_dict(), WORK / "embedder.pt")
    export(model, tokenizer)
    print(f"done in {time.time() - started:.0f} s")


def frequencies(tokenizer, texts):
    """In which share of texts each token stands."""
    counts, total = Counter(), 2000
    for _ in range(total):
        counts.update(set(tokenizer.encode(texts.triple()[1])))
    return torch.tensor([counts[token] / total for token in range(len(tokenizer))])


def export(model, tokenizer):
    """A graph in which tokens become features by arithmetic, as in `features`."""
    graph, size = onnx_file.Graph(), len(tokenizer)
    weights = model.weights.detach().numpy().copy()
    weights[:len(tokens.SPECIALS)] = 0
    table, scales = onnx_file.in_8_bits(model.vectors.weight.detach().numpy())
    scales = scales * weights
    words = np.ones(size, dtype=np.float32)
    words[:len(tokens.SPECIALS)] = 0
    factors = np.where(np.array(tokenizer.starts_word()), ACROSS_WORDS, 1).astype(np.float32) * words
    one, zero, far = graph.ints(1), graph.ints(0), graph.ints(1 << 40)
    first = graph.op("Slice", "input_ids", zero, graph.ints(-1), one)
    second = graph.op("Slice", "input_ids", one, far, one)
    mixed = graph.op("Add", graph.op("Mul", first, graph.ints(FIRST)), graph.op("Mul", second, graph.ints(SECOND)))
    pairs = graph.op("Add", graph.op("Mod", mixed, graph.ints(BUCKETS)), graph.ints(size))
    factor = graph.op("Mul", graph.op("Gather", graph.constant(words), first), graph.op("Gather", graph.constant(factors), second))
    ids = graph.op("Concat", "input_ids", pairs, axis=1)
    whole = graph.op("Cast", graph.op("GreaterOrEqual", "input_ids", zero), to=1)
    counted = graph.op("Unsqueeze", graph.op("Concat", whole, factor, axis=1), graph.ints(-1))
    summed = graph.op("ReduceSum", graph.op("Mul", graph.rows(table, ids, scales), counted), one, keepdims=0)
    matrix = model.out.weight.detach().numpy().T.astype(np.float16)
    graph.op("MatMul", summed, graph.op("Cast", graph.constant(matrix), to=1), name="sentence_embedding")
    config = {"architectures": ["XLMRobertaModel"], "hidden_size": DIMENSIONS}
    save_folder(OUT, graph, ("sentence_embedding", "float32", ("batch", DIMENSIONS)), config, tokenizer, TOKENS_MAX, FACTS)


if __name__ == "__main__":
    main()
