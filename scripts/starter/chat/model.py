"""The llama architecture as llama.cpp computes it: RMSNorm, rotary positions of neighbouring pairs, SwiGLU, tied embeddings."""

import torch
import torch.nn as nn
import torch.nn.functional as F

NORM_EPSILON = 1e-5
ROPE_BASE = 10_000.0
POSITIONS = 4096


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
    return torch.polar(torch.ones_like(angles), angles)


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

    def forward(self, x, turns, future, wanted=None):
        """Of the last block only the wanted places are needed, so what comes after its attention is done for them alone."""
        seen = self.attend(self.attn_norm(x), turns, future)
        if wanted is not None:
            x, seen = x.flatten(0, 1)[wanted], seen.flatten(0, 1)[wanted]
        x = x + self.attn_output(seen)
        gate, up = self.ffn_gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.ffn_down(gate * torch.sigmoid(gate) * up)

    def attend(self, x, turns, future):
        batch, length, width = x.shape
        qk, v = self.attn_qkv(x).split((2 * width, width), -1)
        pairs = torch.view_as_complex(qk.float().reshape(batch, length, 2 * self.heads, -1, 2))
        qk = torch.view_as_real(pairs * turns[:length, None]).flatten(3).to(v.dtype).transpose(1, 2)
        q, k = qk.chunk(2, 1)
        v = v.reshape(batch, length, self.heads, -1).transpose(1, 2)
        scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2) + future
        seen = scores.softmax(-1, dtype=torch.float32).to(v.dtype) @ v
        return seen.transpose(1, 2).reshape(batch, length, width)


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
        length = tokens.shape[1]
        x = self.token_embd(tokens)
        future = torch.full((length, length), -1e4, device=x.device).triu(1)
        for block in self.blk[:-1]:
            x = block(x, self.turns, future)
        x = self.blk[-1](x, self.turns, future, wanted)
        return F.linear(self.output_norm(x), self.token_embd.weight)

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
