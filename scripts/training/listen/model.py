"""The network, and the rooms, noises and throats that training draws anew for each batch."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from features import MELS, PHONES

STACK = 3
FLOOR = 10.0
LETTERS = ["", *" abcdefghijklmnopqrstuvwxyz'"]
DILATIONS = [1, 1, 2, 2, 3, 3, 4, 4]
PHONES_AFTER = 5


class Block(nn.Module):
    def __init__(self, width, dilation):
        super().__init__()
        self.convolution = nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        return x + F.relu(self.norm(self.convolution(x)))


class Recogniser(nn.Module):
    """Three frames at once, residual convolutions, phones from the middle and letters (CTC) from the end."""

    def __init__(self, width=192):
        super().__init__()
        self.first = nn.Conv1d(MELS * STACK, width, 1)
        self.blocks = nn.ModuleList(Block(width, dilation) for dilation in DILATIONS)
        self.phones = nn.Conv1d(width, len(PHONES), 1)
        self.letters = nn.Conv1d(width, len(LETTERS), 1)

    def forward(self, spectra):
        x = self.first(stacked(spectra).transpose(1, 2))
        for index, block in enumerate(self.blocks):
            x = block(x)
            if index + 1 == PHONES_AFTER:
                phones = self.phones(x)
        return phones.transpose(1, 2).log_softmax(-1), self.letters(x).transpose(1, 2).log_softmax(-1)


def stacked(spectra):
    batch, frames, mels = spectra.shape
    return spectra[:, :frames // STACK * STACK].reshape(batch, frames // STACK, mels * STACK)


def normalised(spectra, lengths):
    """Without the mean of each band over the sentence, which is the channel's, and without what is far below its loudest sound."""
    spectra = torch.maximum(spectra, spectra.amax((1, 2), keepdim=True) - FLOOR)
    inside = (torch.arange(spectra.shape[1])[None] < lengths[:, None])[..., None]
    mean = (spectra * inside).sum(1, keepdim=True) / lengths[:, None, None]
    return (spectra - mean) * inside / 3


def varied(spectra, dice):
    """Another throat, sharper or flatter formants, a room, a channel, noise, a telephone: all of it in log-mel."""
    batch = len(spectra)

    def uniform(low, high, *shape):
        return low + (high - low) * torch.rand(batch, *shape, generator=dice)

    def chance(share):
        return (torch.rand(batch, 1, 1, generator=dice) < share).float()

    bands = torch.arange(MELS).float()
    at = (bands[None] * uniform(0.86, 1.16, 1) + uniform(-0.5, 0.5, 1)).clamp(0, MELS - 1.001)
    weights = (1 - (at[:, None] - bands[None, :, None]).abs()).clamp(min=0)
    spectra = spectra @ weights
    smooth = F.avg_pool1d(spectra.flatten(0, 1)[:, None], 7, 1, 3, count_include_pad=False).view_as(spectra)
    spectra = spectra + uniform(-0.5, 0.8, 1, 1) * (spectra - smooth)
    curve = sum(uniform(-1.5, 1.5, 1, 1) * torch.cos(math.pi * wave * bands / MELS + uniform(0, 6.28, 1, 1)) for wave in (1, 2, 3))
    spectra = spectra + curve
    length = 24
    decay = torch.exp(-torch.arange(length) / uniform(0.5, 8, 1)) * uniform(0, 0.4, 1) * chance(0.4)[:, 0]
    decay[:, 0] = 1
    power = spectra.clamp(max=20).exp().transpose(1, 2).reshape(1, batch * MELS, -1)
    kernel = decay.flip(1).repeat_interleave(MELS, 0)[:, None]
    spectra = F.conv1d(F.pad(power, (length - 1, 0)), kernel, groups=batch * MELS).view(batch, MELS, -1).transpose(1, 2).clamp(min=1e-5).log()
    loudest = spectra.amax((1, 2), keepdim=True)
    hiss = sum(uniform(-2, 2, 1, 1) * torch.cos(math.pi * wave * bands / MELS) for wave in (1, 2)) + 0.4 * torch.randn(spectra.shape, generator=dice)
    spectra = torch.logaddexp(spectra, loudest - uniform(6, 16, 1, 1) + hiss)
    is_cut = ((bands < 4) | (bands > 28)).float() * chance(0.25)
    spectra = spectra * (1 - is_cut) + (loudest - 9 + hiss) * is_cut
    return spectra


def hidden(spectra, dice):
    """Two bands of the spectrum are hidden, as in SpecAugment."""
    for one in spectra:
        for _ in range(2):
            width, start = torch.randint(0, 7, (1,), generator=dice).item(), torch.randint(0, MELS - 7, (1,), generator=dice).item()
            one[:, start:start + width] = 0
    return spectra
