"""Trains the starter's reranker and writes models/starter/rerank: python3 scripts/training/text/ranker.py"""
import argparse
import math
import time

import numpy as np
import torch
from torch import nn

import onnx_file
import tokens
from rankings import Rankings
from shared import WORK, first_vectors, pad, save_folder
from texts import ROOT
from words import seeded

WIDTH, HIDDEN, TOKENS_MAX, DOCUMENTS = 128, 96, 1024, 6
FACTS = {"kind": "the words of the query against those of the document, alone and in company, 8 bits",
         "data": "made-up questions with answers of 35 kinds, and sentences of 527 ideas in other words"}
OUT = ROOT / "models/starter/rerank"


class Ranker(nn.Module):
    """
    For each word of the query: is it in the document, is one like it there, and is one like it there in such company.
    A second part sees what kind of thing is asked for, and whether the document has such a thing.
    """

    def __init__(self, vectors):
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.near = nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
        self.wide = nn.Conv1d(WIDTH, WIDTH, 5, padding=2)
        self.weight = nn.Linear(WIDTH, 1)
        self.asked = nn.Linear(2 * WIDTH, HIDDEN)
        self.told = nn.Linear(2 * WIDTH, HIDDEN)
        self.mix = nn.Linear(8 + HIDDEN, HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, ids):
        """Of pairs as the tokenizer frames them: start, query, end, end, document, end."""
        part = (ids == tokens.END).long().cumsum(dim=1)
        real = (ids >= len(tokens.SPECIALS))
        query, document = ((real & (part == place)).float() for place in (0, 2))
        found = self.vectors(ids) * (query + document).unsqueeze(-1)
        near = torch.relu(self.near(found.transpose(1, 2))).transpose(1, 2)
        wide = torch.relu(self.wide(near.transpose(1, 2))).transpose(1, 2)
        both = query.unsqueeze(2) * document.unsqueeze(1)
        same = (ids.unsqueeze(2) == ids.unsqueeze(1)).float() * both
        like = [torch.matmul(unit(each), unit(each).transpose(1, 2)) * both for each in (found, near, wide)]
        best = torch.stack([each.amax(dim=2) for each in (same, *like)], dim=2)
        importance = torch.exp(self.weight(found).clamp(-6, 6)) * query.unsqueeze(2)
        share = importance / (importance.sum(dim=1, keepdim=True) + 1e-6)
        even = query.unsqueeze(2) / (query.sum(dim=1).view(-1, 1, 1) + 1e-6)
        signs = torch.cat([(best * share).sum(dim=1), (best * even).sum(dim=1)], dim=1)
        company = torch.cat([near, wide], dim=2)
        asked = self.asked((company * query.unsqueeze(2)).amax(dim=1))
        told = self.told((company * document.unsqueeze(2)).amax(dim=1))
        mixed = torch.relu(self.mix(torch.cat([signs, torch.tanh(asked) * torch.tanh(told)], dim=1)))
        return self.out(mixed) + 4 * signs[:, :1]


def unit(vectors):
    return vectors / (vectors.pow(2).sum(dim=2, keepdim=True) + 1e-6).sqrt()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--steps", type=int, default=1400)
    options.add_argument("--batch", type=int, default=16)
    steps, batch = vars(options.parse_args()).values()
    torch.manual_seed(7)
    torch.set_num_threads(1)
    rankings, unseen = Rankings(seeded("ranker")), Rankings(seeded("unseen"), heldout=True)
    tokenizer = tokens.load(WORK / "merges.json")
    model = Ranker(first_vectors(WIDTH))
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)

    def scores(tasks):
        pairs = [framed(tokenizer, query, document) for query, documents in tasks for document in documents]
        return model(pad(pairs)).view(len(tasks), -1)

    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * min(1, (step + 1) / 50) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))
        found = scores([rankings.task(DOCUMENTS) for _ in range(batch)])
        wanted = torch.zeros_like(found)
        wanted[:, 0] = 1
        each = nn.functional.binary_cross_entropy_with_logits(found, wanted)
        loss = nn.functional.cross_entropy(found, torch.zeros(batch, dtype=torch.long)) + 0.3 * each
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 100 == 0:
            with torch.no_grad():
                right = np.mean([(scores([unseen.task(DOCUMENTS)]).argmax(dim=1) == 0).item() for _ in range(60)])
            print(f"step {step} loss {loss.item():.3f} unseen {right:.2f} {time.process_time():.0f} s", flush=True)
    torch.save(model.state_dict(), WORK / "ranker.pt")
    export(model.eval(), tokenizer)


def framed(tokenizer, query, document):
    return [tokens.START, *tokenizer.encode(query), tokens.END, tokens.END, *tokenizer.encode(document)[:96], tokens.END]


def export(model, tokenizer):
    """The same steps as `forward`, as a graph."""
    graph = onnx_file.Graph()
    op, constant = graph.op, graph.constant
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    linear = lambda name, flow: op("Add", op("MatMul", flow, constant(np.ascontiguousarray(state[f"{name}.weight"].T))), constant(state[f"{name}.bias"]))
    column, row = (lambda flow: op("Unsqueeze", flow, graph.ints(2))), (lambda flow: op("Unsqueeze", flow, graph.ints(1)))
    floats = lambda flow: op("Cast", flow, to=1)
    small = constant(np.array(1e-6, dtype=np.float32))

    ends = op("Cast", op("Equal", "input_ids", graph.ints(tokens.END)), to=7)
    part = op("CumSum", ends, constant(np.array(1, dtype=np.int64)))
    real = op("GreaterOrEqual", "input_ids", graph.ints(len(tokens.SPECIALS)))
    query, document = (floats(op("And", real, op("Equal", part, graph.ints(place)))) for place in (0, 2))
    table, scales = onnx_file.in_8_bits(state["vectors.weight"])
    found = op("Mul", graph.rows(table, "input_ids", scales), column(op("Add", query, document)))

    def company(name, flow, pads):
        turned = op("Transpose", flow, perm=[0, 2, 1])
        seen = op("Conv", turned, constant(state[f"{name}.weight"]), constant(state[f"{name}.bias"]), pads=[pads, pads])
        return op("Transpose", op("Relu", seen), perm=[0, 2, 1])

    def of_length_1(flow):
        squares = op("ReduceSum", op("Mul", flow, flow), graph.ints(2), keepdims=1)
        return op("Div", flow, op("Sqrt", op("Add", squares, small)))

    near = company("near", found, 1)
    wide = company("wide", near, 2)
    both = op("Mul", column(query), row(document))
    same = op("Mul", floats(op("Equal", column("input_ids"), row("input_ids"))), both)
    like = [op("Mul", op("MatMul", unit_, op("Transpose", unit_, perm=[0, 2, 1])), both) for unit_ in map(of_length_1, (found, near, wide))]
    best = op("Concat", *(op("ReduceMax", each, axes=[2], keepdims=1) for each in (same, *like)), axis=2)
    low, high = (constant(np.array(value, dtype=np.float32)) for value in (-6, 6))
    importance = op("Mul", op("Exp", op("Clip", linear("weight", found), low, high)), column(query))
    share = op("Div", importance, op("Add", op("ReduceSum", importance, graph.ints(1), keepdims=1), small))
    even = op("Div", column(query), op("Add", op("ReduceSum", column(query), graph.ints(1), keepdims=1), small))
    signs = op("Concat", *(op("ReduceSum", op("Mul", best, each), graph.ints(1), keepdims=0) for each in (share, even)), axis=1)
    seen = op("Concat", near, wide, axis=2)
    asked, told = (op("Tanh", linear(name, op("ReduceMax", op("Mul", seen, column(mask)), axes=[1], keepdims=0)))
                   for name, mask in (("asked", query), ("told", document)))
    mixed = op("Relu", linear("mix", op("Concat", signs, op("Mul", asked, told), axis=1)))
    exact = op("Slice", signs, graph.ints(0), graph.ints(1), graph.ints(1))
    op("Add", linear("out", mixed), op("Mul", exact, constant(np.array(4, dtype=np.float32))), name="logits")
    labels = {"num_labels": 1, "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    config = {"architectures": ["XLMRobertaForSequenceClassification"], **labels}
    save_folder(OUT, graph, ("logits", "float32", ("batch", 1)), config, tokenizer, TOKENS_MAX, FACTS)


if __name__ == "__main__":
    main()
