"""Learns the tokenizer that the three models share: python3 scripts/training/text/tokenizer.py"""
import tokens
from moderation_texts import ModerationTexts
from shared import WORK
from texts import Texts
from words import seeded

SIZE = 8192


def main():
    WORK.mkdir(exist_ok=True)
    texts, harms = Texts(seeded("tokenizer")), ModerationTexts(seeded("tokenizer"))
    corpus = [part for _ in range(12000) for part in texts.triple()]
    corpus += [" ".join(words) for words in texts.passages]
    corpus += [word for idea in texts.ideas for words in idea.values() for word in words for _ in range(20)]
    corpus += [harms.example()[0] for _ in range(20000)]
    tokenizer = tokens.learn(corpus, SIZE)
    tokens.save(tokenizer, WORK / "merges.json")
    print(f"{len(tokenizer)} tokens")


if __name__ == "__main__":
    main()
