"""Writes the generated sets of scripts/training/eval: python3 scripts/training/text/evaluation.py"""
import json

from rankings import Rankings
from texts import NOTES_HELDOUT, QUESTIONS_HELDOUT, ROOT, Texts
from words import LANGUAGES, seeded, ways

OUT = ROOT / "scripts/training/eval"
NOTES, FACTS, ABROAD, RANKED = 500, 200, 100, 200


def main():
    rng = seeded("evaluation")
    texts = Texts(rng, heldout=True)
    lines = []

    def document(text):
        lines.append({"skill": "document", "input": text})
        return len(lines) - 1

    asked = []
    for place in range(NOTES):
        ideas = texts.note_ideas()
        text, used = texts.note(ideas, rng.choice(NOTES_HELDOUT))
        number = document(text)
        if place < 150:
            query, _ = texts.note(ideas, rng.choice(QUESTIONS_HELDOUT), avoid=used)
            asked.append(("retrieval, other words", query, number))
        elif place < 150 + ABROAD:
            language = rng.choice(LANGUAGES[1:])
            query = " ".join(rng.choice(idea[language]) for idea in ideas.values())
            asked.append(("retrieval, other language", query, number))
    for place in range(FACTS):
        relation = rng.choice(texts.relations)
        thing = texts.names.thing(relation["thing"])
        number = document(texts.fact(relation, thing)[0])
        if place < 100:
            asked.append(("retrieval, names", rng.choice(ways(relation, "asks", True)).format(e=thing), number))
    lines += [{"skill": skill, "input": query, "expect": number, "check": "recall@5"} for skill, query, number in asked]
    save("retrieval", lines)

    rankings, tasks = Rankings(seeded("evaluation ranker"), heldout=True), []
    for _ in range(RANKED):
        query, documents = rankings.task(8)
        order = list(range(8))
        rankings.rng.shuffle(order)
        shuffled = [documents[place] for place in order]
        tasks.append({"skill": "rerank", "input": query, "documents": shuffled, "expect": order.index(0), "check": "first"})
    save("rerank", tasks)


def save(name, lines):
    (OUT / f"{name}.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


if __name__ == "__main__":
    main()
