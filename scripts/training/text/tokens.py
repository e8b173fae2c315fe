"""Byte pairs learned from the training texts, written as a tokenizer.json that transformers.js reads."""
import json
import re
import unicodedata
from collections import Counter, defaultdict

SPECIALS = ["<s>", "<pad>", "</s>", "<unk>"]
START, PAD, END = 0, 1, 2
PIECE = re.compile(r"[^\W\d_]+|\d+|[^\s\w]|_")
SAME_PIECE = r"\p{L}+|\p{N}+|[^\s\p{L}\p{N}]"


def byte_letters():
    """The printable letter that stands for each byte, as in every byte-level tokenizer."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + place) for place, byte in enumerate(others)}}


LETTERS = byte_letters()


def words_of(text):
    """Lower case, no accents; each word begins with the letter of a space."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn").lower()
    return ["".join(LETTERS[byte] for byte in (" " + piece).encode()) for piece in PIECE.findall(plain)]


class Tokenizer:
    def __init__(self, merges):
        self.merges = merges
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        names = SPECIALS + [LETTERS[byte] for byte in range(256)] + [a + b for a, b in merges]
        self.ids = {name: place for place, name in enumerate(dict.fromkeys(names))}
        self.names = list(self.ids)
        self.cache = {}

    def __len__(self):
        return len(self.ids)

    def encode(self, text):
        return [token for word in words_of(text) for token in self.encode_word(word)]

    def encode_word(self, word):
        if word not in self.cache:
            parts = list(word)
            while len(parts) > 1:
                rank, place = min((self.ranks.get(pair, 1 << 30), place) for place, pair in enumerate(zip(parts, parts[1:])))
                if rank == 1 << 30:
                    break
                parts[place:place + 2] = [parts[place] + parts[place + 1]]
            self.cache[word] = [self.ids[part] for part in parts]
        return self.cache[word]

    def starts_word(self):
        space = LETTERS[32]
        return [name.startswith(space) for name in self.names]

    def files(self, tokens_max):
        flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        special = lambda name: {"SpecialToken": {"id": name, "type_id": 0}}
        single = [special("<s>"), {"Sequence": {"id": "A", "type_id": 0}}, special("</s>")]
        pair = [*single, special("</s>"), {"Sequence": {"id": "B", "type_id": 0}}, special("</s>")]
        used = {name: {"id": name, "ids": [self.ids[name]], "tokens": [name]} for name in ("<s>", "</s>")}
        level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": False}
        split = {"type": "Split", "pattern": {"Regex": SAME_PIECE}, "behavior": "Removed", "invert": True}
        return {
            "tokenizer.json": {
                "version": "1.0", "truncation": None, "padding": None,
                "added_tokens": [{"id": place, "content": name, **flags} for place, name in enumerate(SPECIALS)],
                "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]},
                "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, level]},
                "post_processor": {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": used},
                "decoder": level,
                "model": {"type": "BPE", "unk_token": None, "byte_fallback": False, "fuse_unk": False, "vocab": self.ids,
                          "merges": [list(pair) for pair in self.merges]},
            },
            "tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "cls_token": "<s>",
                                      "eos_token": "</s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>",
                                      "model_max_length": tokens_max},
        }


def learn(texts, size):
    """Merges the most frequent pair again and again; of equals the first in the alphabet, so that it is the same each time."""
    counts = Counter(word for text in texts for word in words_of(text))
    words = [[list(word), count] for word, count in sorted(counts.items())]
    pairs, places = Counter(), defaultdict(set)
    for index, (parts, count) in enumerate(words):
        for pair in zip(parts, parts[1:]):
            pairs[pair] += count
            places[pair].add(index)
    merges = []
    while len(merges) + 256 + len(SPECIALS) < size and pairs:
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        if pairs[best] < 2:
            break
        merges.append(best)
        for index in places.pop(best):
            parts, count = words[index]
            for pair in zip(parts, parts[1:]):
                pairs[pair] -= count
            parts[:] = merged(parts, best)
            for pair in zip(parts, parts[1:]):
                pairs[pair] += count
                places[pair].add(index)
        pairs.pop(best, None)
    return Tokenizer(merges)


def merged(parts, pair):
    out, place = [], 0
    while place < len(parts):
        if place + 1 < len(parts) and (parts[place], parts[place + 1]) == pair:
            out.append(parts[place] + parts[place + 1])
            place += 2
        else:
            out.append(parts[place])
            place += 1
    return out


def save(tokenizer, file):
    file.write_text(json.dumps(tokenizer.merges))


def load(file):
    return Tokenizer([tuple(pair) for pair in json.loads(file.read_text())])
