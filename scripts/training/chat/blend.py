"""Blends two stages of a training into one: the mean of their weights, of which the first takes a share."""

import argparse
import json
import struct

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("first", help="weights.safetensors of one stage")
parser.add_argument("second", help="the same of a later stage, whose notes are kept")
parser.add_argument("target", help="where the blend is written")
parser.add_argument("--share", type=float, default=0.5, help="of the first")
options = parser.parse_args()


def read(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(length)), np.frombuffer(file.read(), np.float32)


(first_header, first), (header, second) = read(options.first), read(options.second)
layout = lambda of: {name: entry for name, entry in of.items() if name != "__metadata__"}
if layout(first_header) != layout(header):
    raise SystemExit("These are not two stages of one model.")
blended = options.share * first + (1 - options.share) * second
text = json.dumps(header).encode()
with open(options.target, "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + blended.astype(np.float32).tobytes())
