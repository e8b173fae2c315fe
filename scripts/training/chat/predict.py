"""What the model writes by PyTorch for unseen prompts, for check-export to compare with what the engine writes."""

import json
import os
import sys

import numpy as np
import torch

from model import Llama, read_weights

PROMPTS, TOKENS, END_OF_TURN = 40, 16, 257
WORK = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".work")
BLOCK = 32


def as_exported(matrix):
    """What Q8_0 keeps of a matrix: a half-precision scale and a whole number up to 127 for each value."""
    blocks = matrix.reshape(-1, BLOCK)
    scale = blocks.abs().amax(1, keepdim=True) / 127
    return (torch.round(blocks / scale.clamp(min=1e-12)) * scale.half().float()).reshape(matrix.shape)


def load(file):
    notes, matrices = read_weights(file)
    model = Llama(**{key: notes[key] for key in ("vocabulary", "width", "layers", "heads", "feed_forward")})
    model.set_weights({name: as_exported(each) if each.ndim == 2 else each for name, each in matrices.items()})
    return model


def main():
    model = load(os.path.join(WORK, "weights.safetensors"))
    rows = np.fromfile(os.path.join(WORK, "held.rows"), dtype=np.int32).reshape(-1, 4)
    tokens = np.fromfile(os.path.join(WORK, "held.tokens"), dtype=np.uint16)
    predictions = []
    for offset, prompt, _, _ in rows[:: len(rows) // PROMPTS]:
        seen = [int(token) for token in tokens[offset : offset + prompt]]
        first = None
        while len(seen) < prompt + TOKENS and (first is None or seen[-1] != END_OF_TURN):
            with torch.no_grad():
                logits = model(torch.tensor([seen]), torch.tensor([len(seen) - 1]))[0]
            first = logits.softmax(-1) if first is None else first
            seen.append(int(logits.argmax()))
        best = [[int(token), float(first[token])] for token in first.topk(5)[1]]
        predictions.append({"prompt": seen[:prompt], "written": seen[prompt:], "first": best})
    with open(os.path.join(WORK, "predictions.json"), "w") as file:
        json.dump(predictions, file)


main()
