"""Words from log-probabilities: a beam over the pronunciations or spellings of the vocabulary, and word pairs."""
import math
from collections import Counter, defaultdict

from features import PHONES, WORK
from model import LETTERS

BEAM, WIDTH = 150, 14.0
END = "</s>"


class Pairs:
    """Word pairs with absolute discounting."""

    def __init__(self, texts):
        self.ones, self.twos, self.after = Counter(), Counter(), defaultdict(int)
        for text in texts:
            words = [END, *text.split(), END]
            self.ones.update(words[1:])
            for pair in zip(words, words[1:]):
                self.after[pair[0]] += pair not in self.twos
                self.twos[pair] += 1
        self.before = Counter()
        for (first, _), count in self.twos.items():
            self.before[first] += count
        self.total = sum(self.ones.values())
        self.kept = {}

    def one(self, word):
        return (self.ones[word] + 0.5) / (self.total + 0.5 * len(self.ones) + 1500)

    def __call__(self, last, word):
        if (last, word) not in self.kept:
            seen = self.before[last]
            rest = 0.7 * self.after[last] / seen if seen else 1.0
            share = max(self.twos[last, word] - 0.7, 0) / seen if seen else 0.0
            self.kept[last, word] = math.log(share + rest * self.one(word))
        return self.kept[last, word]


class Node:
    __slots__ = ("unit", "children", "words", "ahead", "last_words")

    def __init__(self, unit):
        self.unit, self.children, self.words, self.last_words, self.ahead = unit, {}, [], [], -math.inf


def tree(spellings, pairs, space):
    root = Node(0)
    root.ahead = 0.0
    for word, units in spellings:
        node, likely = root, math.log(pairs.one(word))
        for unit in units + ([space] if space else []):
            if space and unit == space:
                node.last_words.append(word)
            node = node.children.setdefault(unit, Node(unit))
            node.ahead = max(node.ahead, likely)
        node.words.append(word)
        if not space:
            node.last_words.append(word)
    return root


def by_phones(pairs, states):
    lines = [line.split() for line in open(WORK / "lexicon.txt")]
    spelled = [(word, [states * PHONES.index(phone) + state for phone in phones for state in range(states)]) for word, *phones in lines]
    return tree([(word, units) for word, units in spelled if units], pairs, 0)


def by_letters(pairs):
    words = open(WORK / "vocabulary.txt").read().split()
    return tree([(word, [LETTERS.index(letter) for letter in word]) for word in words], pairs, LETTERS.index(" "))


def decode(frames, root, pairs, weight, penalty, is_ctc):
    """Unit 0 is the blank of CTC, which stands anywhere, or else a pause, which stands between words."""
    tokens = {(root, True, END): (0.0, ())}
    for frame in frames:
        new = {}

        def put(node, is_blank, last, score, words):
            if (node, is_blank, last) not in new or new[node, is_blank, last][0] < score:
                new[node, is_blank, last] = (score, words)

        for (node, is_blank, last), (score, words) in tokens.items():
            if node is root or is_ctc:
                put(node, True, last, score + frame[0], words)
            if not is_blank:
                put(node, False, last, score + frame[node.unit], words)
            for child in node.children.values():
                if is_blank or child.unit != node.unit or not is_ctc:
                    put(child, False, last, score + frame[child.unit] + weight * (child.ahead - node.ahead), words)
        best = max(score for score, _ in new.values())
        kept = [item for item in new.items() if item[1][0] > best - WIDTH]
        tokens = dict(sorted(kept, key=lambda item: -item[1][0])[:BEAM])
        for (node, _, last), (score, words) in list(tokens.items()):
            for word in node.words:
                at = score + weight * (pairs(last, word) - node.ahead) + penalty
                if at > tokens.get((root, True, word), (-math.inf,))[0]:
                    tokens[root, True, word] = (at, (words, word))
    return flat(max(ends(tokens, root, pairs, weight, penalty), key=lambda end: end[0])[1])


def ends(tokens, root, pairs, weight, penalty):
    yield -math.inf, ()
    for (node, _, last), (score, words) in tokens.items():
        if node is root:
            yield score + weight * pairs(last, END), words
        for word in node.last_words:
            at = score + weight * (pairs(last, word) - node.ahead + pairs(word, END)) + penalty
            yield at, (words, word)


def flat(words):
    said = []
    while words:
        words, word = words
        said.append(word)
    return said[::-1]


def greedy(frames):
    units = frames.argmax(-1)
    kept = [unit for unit, before in zip(units, [-1, *units[:-1]]) if unit != before and unit != 0]
    return "".join(LETTERS[unit] for unit in kept).split()


def errors(said, meant):
    row = list(range(len(meant) + 1))
    for i, word in enumerate(said, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(meant, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]
