"""Sentences with the categories that they fall under."""
import re
from pathlib import Path

NAMES = {"H": "hate", "HT": "hate/threatening", "R": "harassment", "RT": "harassment/threatening", "S": "self-harm",
         "SI": "self-harm/intent", "SN": "self-harm/instructions", "X": "sexual", "XM": "sexual/minors", "V": "violence",
         "VG": "violence/graphic"}
CATEGORIES = list(NAMES.values())
HARMLESS = 0.45


class ModerationTexts:
    def __init__(self, rng):
        self.rng, self.slots, self.blocks = rng, {}, []
        for line in (Path(__file__).parent / "moderation.txt").read_text().splitlines():
            if line.startswith("["):
                labels = [NAMES[name] for name in line[1:-1].split() if name != "none"]
                self.blocks.append((labels, []))
            elif not self.blocks and " = " in line:
                name, words = line.split(" = ")
                self.slots[name] = words.split(" | ")
            elif self.blocks and line:
                self.blocks[-1][1].append(line)

    def fill(self, template):
        return re.sub(r"\{(\w+)\}", lambda found: self.rng.choice(self.slots[found[1]]), template)

    def example(self):
        """A sentence and a 0 or 1 for each category."""
        harmful, harmless = self.blocks[:-1], self.blocks[-1]
        labels, templates = harmless if self.rng.random() < HARMLESS else self.rng.choice(harmful)
        return self.fill(self.rng.choice(templates)), [float(name in labels) for name in CATEGORIES]
