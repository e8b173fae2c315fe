"""Takes the model that ships back into the form that train.py goes on from: its weights and the merges of its tokens."""

import argparse
import json
import os
import re
import struct

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("model", help="folder of the GGUF file and its card")
parser.add_argument("target", help="folder for weights.safetensors and merges.json")
options = parser.parse_args()

FORMATS = ["B", "b", "H", "h", "I", "i", "f", "?", None, None, "Q", "q", "d"]
STRING, ARRAY = 8, 9
F32, Q8_0 = 0, 8
ALIGNMENT = 32
SHAPE = {
    "width": "llama.embedding_length",
    "layers": "llama.block_count",
    "heads": "llama.attention.head_count",
    "feed_forward": "llama.feed_forward_length",
}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def string(self):
        length = self.number("Q")
        self.at += length
        return self.data[self.at - length : self.at].decode()

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind != ARRAY:
            return self.number(FORMATS[kind])
        inner, count = self.number("I"), self.number("Q")
        return [self.value(inner) for _ in range(count)]


def values_of(data, kind, count):
    if kind == F32:
        return np.frombuffer(data, np.float32, count)
    if kind != Q8_0:
        raise SystemExit(f"Only F32 and Q8_0 are read here, not type {kind}.")
    blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("values", "i1", 32)]), count // 32)
    return (blocks["scale"].astype(np.float32)[:, None] * blocks["values"]).reshape(-1)


def read(file):
    """The metadata, and each tensor with its rows first."""
    with open(file, "rb") as source:
        reader = Reader(source.read())
    if reader.data[:4] != b"GGUF":
        raise SystemExit(f"{file} is no GGUF file.")
    reader.at = 8
    tensors, entries = reader.number("Q"), reader.number("Q")
    metadata = {}
    for _ in range(entries):
        key = reader.string()
        metadata[key] = reader.value(reader.number("I"))
    layouts = []
    for _ in range(tensors):
        name = reader.string()
        dims = [reader.number("Q") for _ in range(reader.number("I"))]
        layouts.append((name, dims[::-1], reader.number("I"), reader.number("Q")))
    start = -(-reader.at // ALIGNMENT) * ALIGNMENT
    matrices = {}
    for name, shape, kind, offset in layouts:
        values = values_of(memoryview(reader.data)[start + offset :], kind, int(np.prod(shape)))
        matrices[name] = values.astype(np.float32).reshape(shape)
    return metadata, matrices


def notes_of(metadata, card):
    """What the card says of the training goes on counting."""
    millions, minutes = re.match(r"([\d.]+) million tokens in (\d+) minutes", card["facts"]["training"]).groups()
    shape = {name: metadata[key] for name, key in SHAPE.items()}
    vocabulary = len(metadata["tokenizer.ggml.tokens"])
    return {"vocabulary": vocabulary, **shape, "tokens": round(float(millions) * 1e6), "minutes": int(minutes)}


def write(file, notes, matrices):
    header, offset = {}, 0
    for name, matrix in matrices.items():
        header[name] = {"dtype": "F32", "shape": list(matrix.shape), "data_offsets": [offset, offset + matrix.nbytes]}
        offset += matrix.nbytes
    header["__metadata__"] = {key: str(value) for key, value in notes.items()}
    text = json.dumps(header).encode()
    with open(file, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for matrix in matrices.values():
            out.write(matrix.tobytes())


def main():
    name = os.path.basename(os.path.abspath(options.model))
    metadata, matrices = read(os.path.join(options.model, f"starter-{name}.gguf"))
    with open(os.path.join(options.model, "card.json")) as file:
        card = json.load(file)
    os.makedirs(options.target, exist_ok=True)
    write(os.path.join(options.target, "weights.safetensors"), notes_of(metadata, card), matrices)
    merges = [each.split(" ") for each in metadata["tokenizer.ggml.merges"]]
    with open(os.path.join(options.target, "merges.json"), "w") as file:
        json.dump(merges, file)


main()
