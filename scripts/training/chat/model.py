"""The llama architecture as llama.cpp computes it: RMSNorm, rotary positions of neighbouring pairs, SwiGLU, tied embeddings."""

import json
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

NORM_EPSILON = 1e-5
ROPE_BASE = 10_000.0
POSITIONS = 4096
SHORT = 256


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        x = x.float()
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + NORM_EPSILON) * self.weight


def rotations(head_width):
    frequencies = ROPE_BASE ** (-torch.arange(0, head_width, 2).float() / head_width)
    angles = torch.outer(torch.arange(POSITIONS).float(), frequencies)
    return torch.stack((angles.cos(), angles.sin()))


class Block(nn.Module):
    def __init__(self, width, heads, feed_forward):
        super().__init__()
        self.heads = heads
        self.attn_norm = Norm(width)
        self.attn_qkv = nn.Linear(width, 3 * width, bias=False)
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_norm = Norm(width)
        self.ffn_gate_up = nn.Linear(width, 2 * feed_forward, bias=False)
        self.ffn_down = nn.Linear(feed_forward, width, bias=False)
        for weight in (self.attn_qkv.weight, self.ffn_gate_up.weight):
            nn.init.normal_(weight, 0, width**-0.5)
        for weight in (self.attn_output.weight, self.ffn_down.weight):
            nn.init.zeros_(weight)

    def forward(self, x, turns, wanted=None):
        """Of the last block only the wanted places are needed, so what comes after its attention is done for them alone."""
        seen = self.attend(self.attn_norm(x), turns)
        if wanted is not None:
            x, seen = x.flatten(0, 1)[wanted], seen.flatten(0, 1)[wanted]
        x = x + self.attn_output(seen)
        gate, up = self.ffn_gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.ffn_down(gate * torch.sigmoid(gate) * up)

    def attend(self, x, turns):
        batch, length, width = x.shape
        qk, v = F.linear(x, self.by_halves()).split((2 * width, width), -1)
        first, second = qk.reshape(batch, length, 2 * self.heads, -1).transpose(1, 2).chunk(2, -1)
        cos, sin = turns[0][:length], turns[1][:length]
        qk = torch.cat((first * cos - second * sin, first * sin + second * cos), -1).to(v.dtype)
        q, k = qk.chunk(2, 1)
        v = v.reshape(batch, length, self.heads, -1).transpose(1, 2)
        seen = whole_attention(q, k, v) if length <= SHORT else attention_by_parts(q, k, v)
        return seen.transpose(1, 2).reshape(batch, length, width)

    def by_halves(self):
        """The weights turn neighbours, as llama.cpp does; what is turned at once stands apart here: the same, but faster."""
        width = self.attn_qkv.weight.shape[1]
        qk, v = self.attn_qkv.weight.split((2 * width, width))
        halves = qk.view(2 * self.heads, -1, 2, width).transpose(1, 2).reshape(2 * width, width)
        return torch.cat((halves, v))


def attention_by_parts(q, k, v):
    """PyTorch 1 does not have it, and takes longer."""
    by_parts = getattr(F, "scaled_dot_product_attention", None)
    return by_parts(q, k, v, is_causal=True) if by_parts else whole_attention(q, k, v)


def whole_attention(q, k, v):
    """All scores at once: faster than by parts as long as there are few."""
    length = q.shape[2]
    future = torch.full((length, length), -1e4, device=q.device).triu(1)
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2) + future
    return scores.softmax(-1, dtype=torch.float32).to(v.dtype) @ v


class Llama(nn.Module):
    def __init__(self, vocabulary, width, layers, heads, feed_forward):
        super().__init__()
        self.shape = dict(vocabulary=vocabulary, width=width, layers=layers, heads=heads, feed_forward=feed_forward)
        self.token_embd = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.token_embd.weight, 0, 0.02)
        self.blk = nn.ModuleList(Block(width, heads, feed_forward) for _ in range(layers))
        self.output_norm = Norm(width)
        self.register_buffer("turns", rotations(width // heads), persistent=False)

    def forward(self, tokens, wanted):
        """The logits of the wanted places, counted over all rows."""
        x = self.token_embd(tokens)
        for block in self.blk[:-1]:
            x = block(x, self.turns)
        x = self.blk[-1](x, self.turns, wanted)
        return F.linear(self.output_norm(x), self.token_embd.weight)

    @torch.no_grad()
    def set_weights(self, matrices):
        for name, weight in self.named_weights():
            weight.copy_(matrices[name])

    def named_weights(self):
        """The matrices under the names that GGUF gives them."""
        for name, weight in self.named_parameters():
            name = name.removesuffix(".weight")
            if name.endswith("attn_qkv"):
                for part, rows in zip("qkv", weight.chunk(3)):
                    yield name.replace("attn_qkv", f"attn_{part}") + ".weight", rows
            elif name.endswith("ffn_gate_up"):
                for part, rows in zip(("gate", "up"), weight.chunk(2)):
                    yield name.replace("ffn_gate_up", f"ffn_{part}") + ".weight", rows
            else:
                yield name + ".weight", weight


def read_weights(file):
    """What train.py wrote of a model, or import_gguf.py: its notes and its matrices by name."""
    with open(file, "rb") as source:
        (length,) = struct.unpack("<Q", source.read(8))
        header = json.loads(source.read(length))
        data = source.read()
    notes = {key: int(value) for key, value in header.pop("__metadata__").items()}
    matrices = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        matrices[name] = torch.from_numpy(np.frombuffer(data[begin:end], np.float32).copy()).reshape(entry["shape"])
    return notes, matrices
