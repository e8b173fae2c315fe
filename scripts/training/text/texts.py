"""Texts that mean the same in other words: what the embedder and the reranker learn from."""
import re
from pathlib import Path

from words import GLUE, LANGUAGES, Names, read_lexicon, read_relations, ways

ROOT = Path(__file__).resolve().parents[3]
PERSONS = "customer employee boss student teacher doctor nurse thief farmer driver lawyer soldier king artist neighbour child woman man judge mayor scientist actor author passenger waiter cook developer champion friend minister".split()
ACTIONS = "buy sell fix break find lose clean wash paint steal bring send receive hide show build destroy forget throw_away rent book measure clean choose protect attack open close use own like hate want need photo".split()
OBJECTS = "car bicycle house computer phone lamp chair table bed ring gift cake bread cheese fish book painting guitar knife bag bottle box letter parcel map coat shoe hat clock printer key boat horse dog cat machine_device battery flower contract invoice passport luggage egg".split()
PLACES = "school hospital park beach city village museum library church station airport hotel restaurant factory farm forest mountain river lake island garden kitchen office shop pharmacy university bridge prison theatre".split()
TIMES = "today tomorrow yesterday morning evening night winter summer spring autumn".split()
NOTES = [
    "The {person} had to {action} a {object} at the {place} in the {time}.", "A {person} wants to {action} the {object} near the {place}, {time}.",
    "{time}: {person}, {action}, {object}, {place}.", "At the {place} a {person} tried to {action} one {object} this {time}.",
    "In the {time} I saw how a {person} would {action} a {object} by the {place}.", "{person} at {place}: please {action} the {object} {time}",
    "It was {time} at the {place} when the {person} went to {action} the {object}.", "why did the {person} {action} the {object} at the {place}?",
    "find the note where a {person} {action} {object} {place}", "which {person} will {action} the {object} in the {place} {time}?",
]
NOTES_HELDOUT = [
    "Yesterday's diary says that the {person} came to the {place} in order to {action} some {object}, {time}.",
    "Not far from our {place}, {time}, they talked about a {person} and how to {action} an {object}.",
]
QUESTIONS_HELDOUT = ["where is it written that a {person} intended to {action} the {object} around the {place}", "do you remember who, being a {person}, could {action} that {object} close to the {place}?"]


class Texts:
    def __init__(self, rng, heldout=False):
        self.rng, self.heldout = rng, heldout
        self.ideas = read_lexicon()
        self.relations = read_relations()
        self.names = Names(rng, heldout)
        self.by_name = {idea["en"][0].replace(" ", "_"): idea for idea in self.ideas}
        self.slots = {"person": PERSONS, "action": ACTIONS, "object": OBJECTS, "place": PLACES, "time": TIMES}
        self.passages = read_passages()

    def inflect(self, word):
        """English words come in several forms; which one, says little."""
        if self.rng.random() < 0.7 or len(word) < 3:
            return word
        stem = word[:-1] if word.endswith("e") else word
        return self.rng.choice([word + ("es" if word[-1] in "sxz" else "s"), stem + "ing", stem + "ed", stem + "er"])

    def word(self, idea, language="en", other=None):
        choices = [word for word in idea[language] if word != other] or idea[language]
        word = self.rng.choice(choices)
        return self.inflect(word) if language == "en" else word

    def bag(self, ideas, language):
        rng, words = self.rng, []
        for idea in ideas:
            if rng.random() < 0.5:
                words.append(rng.choice(GLUE[language]))
            words.append(self.word(idea, language))
        return " ".join(words) + rng.choice(["", "", ".", "?"])

    def bags(self):
        """Some ideas in two ways, beside a text that has most of the words and another sense."""
        rng = self.rng
        ideas = rng.sample(self.ideas, rng.choice((1, 2, 3, 4, 5)))
        first, second = ("en", "en") if rng.random() < 0.65 else rng.sample(LANGUAGES, 2)
        query = self.bag(ideas, first)
        near = list(ideas)
        near[rng.randrange(len(near))] = rng.choice(self.ideas)
        mixed = rng.sample(ideas, len(ideas))
        return query, self.bag(mixed, second), self.bag(near, rng.choice((first, second)))

    def note_ideas(self):
        return {slot: self.by_name.get(name) or self.by_name["photo"] for slot, name in ((slot, self.rng.choice(names)) for slot, names in self.slots.items())}

    def note(self, ideas, template, language="en", avoid=()):
        """Puts ideas into a sentence, in words that are not to be avoided where there are others."""
        def word(slot):
            choices = [each for each in ideas[slot][language] if each not in avoid] or ideas[slot][language]
            return self.rng.choice(choices)
        used = {slot: word(slot) for slot in ideas}
        return template.format(**used), list(used.values())

    def notes(self):
        rng, ideas = self.rng, self.note_ideas()
        query, used = self.note(ideas, rng.choice(NOTES))
        positive, _ = self.note(ideas, rng.choice(NOTES), avoid=used)
        slot, other = rng.choice(list(ideas)), self.note_ideas()
        negative, _ = self.note({**ideas, slot: other[slot]}, rng.choice(NOTES))
        return query, positive, negative

    def fact(self, relation, thing):
        value = self.names.value(relation["value"])
        return self.rng.choice(ways(relation, "says", self.heldout)).format(e=thing, v=value), value

    def facts(self):
        """A question with its answer; the other text is of the same thing, or of another one."""
        rng = self.rng
        relation = rng.choice(self.relations)
        thing = self.names.thing(relation["thing"])
        query = rng.choice(ways(relation, "asks", self.heldout)).format(e=thing)
        same_kind = [each for each in self.relations if each["thing"] == relation["thing"] and each is not relation]
        if same_kind and rng.random() < 0.7:
            negative = self.fact(rng.choice(same_kind), thing)[0]
        else:
            negative = self.fact(relation, self.names.thing(relation["thing"]))[0]
        return query, self.fact(relation, thing)[0], negative

    def crops(self):
        """Two pieces of one passage of the project's own documentation, and one of another."""
        rng = self.rng
        words, others = rng.sample(self.passages, 2)
        cut = lambda part: " ".join(part[(start := rng.randrange(max(1, len(part) - 12))):start + rng.randint(6, 24)])
        return cut(words), cut(words), cut(others)

    def triple(self):
        draw = self.rng.random()
        if draw < 0.40:
            return self.bags()
        if draw < 0.70:
            return self.notes()
        return self.facts() if draw < 0.88 else self.crops()


def read_passages():
    files = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "BENCHMARKS.md", *sorted(ROOT.glob("*/README.md"))]
    passages = [part for file in files for part in re.split(r"\n\s*\n", file.read_text())]
    return [words for words in ([word for word in part.split() if not word.startswith("|")] for part in passages) if len(words) > 12]
