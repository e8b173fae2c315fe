"""Muon for the matrices, AdamW for the embeddings and norms: about half the tokens that AdamW alone needs here."""

import torch

MATRIX_RATE = 0.02
OTHER_RATE = 3e-3
DECAY = 0.05
MOMENTUM = 0.95


def orthogonal(matrices, steps=5):
    """For each of a stack, the nearest matrix whose singular values are all about one, by Newton and Schulz."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = matrices.bfloat16()
    is_tall = x.shape[1] > x.shape[2]
    if is_tall:
        x = x.mT.contiguous()
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        square = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return (x.mT if is_tall else x).float()


class Muon:
    def __init__(self, model):
        self.matrices, self.stacked, others = [], [], []
        for name, weight in model.named_parameters():
            if weight.ndim == 2 and "token_embd" not in name:
                self.matrices.append(weight)
                self.stacked.append(3 if "qkv" in name else 2 if "gate_up" in name else 1)
            else:
                others.append(weight)
        self.momenta = [torch.zeros_like(weight) for weight in self.matrices]
        self.others = torch.optim.AdamW(others, OTHER_RATE, betas=(0.9, 0.95), weight_decay=0.01)
        self.rate = 1.0

    def set_rate(self, rate):
        self.rate = rate
        for group in self.others.param_groups:
            group["lr"] = OTHER_RATE * rate

    @torch.no_grad()
    def step(self, scale):
        """`scale` makes a mean of the sums that were added up. The gradients are used up."""
        for group in self.others.param_groups:
            for weight in group["params"]:
                weight.grad.mul_(scale)
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
        self.others.step()
        self.others.zero_grad(set_to_none=True)
        by_shape = {}
        for weight, momentum, count in zip(self.matrices, self.momenta, self.stacked):
            momentum.lerp_(weight.grad * scale, 1 - MOMENTUM)
            wanted = torch.lerp(weight.grad * scale, momentum, MOMENTUM)
            weight.grad = None
            weight.mul_(1 - MATRIX_RATE * self.rate * DECAY)
            # A stack of matrices, as of queries, keys and values, is one step for each of them.
            for pair in zip(weight.chunk(count), wanted.chunk(count)):
                by_shape.setdefault(pair[0].shape, []).append(pair)
        for (height, width), pairs in by_shape.items():
            size = max(1.0, height / width) ** 0.5
            changes = orthogonal(torch.stack([wanted for _, wanted in pairs]))
            for (rows, _), change in zip(pairs, changes):
                rows.add_(change, alpha=-MATRIX_RATE * self.rate * size)

    def state_dict(self):
        return {"momenta": self.momenta, "others": self.others.state_dict()}

    def load_state_dict(self, saved):
        self.momenta = [momentum.clone() for momentum in saved["momenta"]]
        self.others.load_state_dict(saved["others"])
