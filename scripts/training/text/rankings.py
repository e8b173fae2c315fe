"""Questions, each with the document that answers it first and others after it that only look as if they did."""
from texts import NOTES, NOTES_HELDOUT, QUESTIONS_HELDOUT, Texts
from words import ways


class Rankings:
    def __init__(self, rng, heldout=False):
        self.rng, self.heldout, self.texts = rng, heldout, Texts(rng, heldout)

    def task(self, count):
        draw = self.rng.random()
        if draw < 0.6:
            return self.facts(count)
        return self.notes(count) if draw < 0.85 or self.heldout else self.bags(count)

    def facts(self, count):
        """The others tell something else of the same thing, the same of another thing, or both in two sentences."""
        rng, texts = self.rng, self.texts
        relation = rng.choice(texts.relations)
        others = [each for each in texts.relations if each["thing"] == relation["thing"] and each is not relation]
        thing = texts.names.thing(relation["thing"])
        stranger = lambda: texts.names.thing(relation["thing"])
        query = rng.choice(ways(relation, "asks", self.heldout)).format(e=thing)
        tell = lambda which, whom: texts.fact(which, whom)[0]
        beside = lambda: tell(rng.choice(others), thing) if others else tell(relation, stranger())

        def filled(sentence):
            extra = [tell(rng.choice(texts.relations), stranger()) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
            part = [sentence, *extra]
            rng.shuffle(part)
            return " ".join(part)

        right = filled(tell(relation, thing))
        wrong = [beside(), tell(relation, stranger()), f"{beside()} {tell(relation, stranger())}", f"{tell(relation, stranger())} {beside()}"]
        while len(wrong) < count - 1:
            wrong.append(rng.choice([beside, lambda: tell(relation, stranger())])())
        return query, [right, *(filled(each) if rng.random() < 0.5 else each for each in wrong[:count - 1])]

    def notes(self, count):
        """The others share words with the question and differ in some of what they are about."""
        rng, texts = self.rng, self.texts
        asks, says = (QUESTIONS_HELDOUT, NOTES_HELDOUT) if self.heldout else (NOTES, NOTES)
        ideas = texts.note_ideas()
        query, used = texts.note(ideas, rng.choice(asks))
        right, _ = texts.note(ideas, rng.choice(says), avoid=used)
        wrong = []
        for place in range(count - 1):
            other = texts.note_ideas()
            for slot in rng.sample(list(ideas), rng.choice((2, 3)) if place else 4):
                other[slot] = ideas[slot]
            if all(other[slot] is ideas[slot] for slot in ideas):
                other = texts.note_ideas()
            words = {slot: {"en": [word]} if other[slot] is ideas[slot] else other[slot] for slot, word in zip(ideas, used)}
            wrong.append(texts.note(words, rng.choice(says))[0])
        return query, [right, *wrong]

    def bags(self, count):
        query, right, wrong = self.texts.bags()
        return query, [right, wrong, *(self.texts.triple()[1] for _ in range(count - 2))]
