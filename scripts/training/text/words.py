"""Ideas with their words in six languages, and things with made-up names: what texts are made of."""
import random
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGES = ("en", "de", "fr", "es", "it", "pt")
GLUE = {
    "en": "the a of in to and with for on is was at by from that this our my about how can i you we do does it".split(),
    "de": "der die das ein eine und mit für auf ist war bei von dass dieser unser mein über wie kann ich du wir es".split(),
    "fr": "le la les un une et avec pour sur est était à par de que ce notre mon comment peut je tu nous il".split(),
    "es": "el la los un una y con para en es era a por de que este nuestro mi cómo puede yo tú nosotros se".split(),
    "it": "il la i un una e con per su è era a da di che questo nostro mio come può io tu noi si".split(),
    "pt": "o a os um uma e com para em é era por de que este nosso meu como pode eu você nós se".split(),
}


def read_lexicon():
    """A list of ideas; each maps a language to its words."""
    ideas = []
    for line in (HERE / "lexicon.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        parts = [[word.replace("_", " ") for word in part.split()] for part in line.split("|")]
        ideas.append(dict(zip(LANGUAGES, parts)))
    return ideas


def read_relations():
    """A list of relations with ways to ask (`asks`) and to say (`says`); the last two of each are for the evaluation."""
    relations = []
    for line in (HERE / "relations.txt").read_text().splitlines():
        if line.startswith("?"):
            relations[-1]["asks"] = [way.strip() for way in line[1:].split("|")]
        elif line.startswith("."):
            relations[-1]["says"] = [way.strip() for way in line[1:].split("|")]
        elif line and not line.startswith("#"):
            name, thing, value = line.split()
            relations.append({"name": name, "thing": thing, "value": value})
    return relations


SYLLABLES = "ba be bo da de di do fa fe ga go ha he hi ka ke ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi za zo bran dor fel gal hol kar lin mar nor pel quin ros sel tor ul van wen yor zan thal brook field stone".split()
LANGUAGE_NAMES = "Spanish French Polish Turkish Finnish Greek Hindi Dutch Czech Korean Welsh Irish Basque Danish Arabic".split()
PRODUCTS = ["bicycles", "garden chairs", "wool socks", "kites", "clocks", "canoes", "paper lamps", "violins", "cheese", "tents", "soap", "toy trains", "leather bags", "roof tiles", "coffee machines", "umbrellas", "maps", "batteries", "skis", "tea", "candles", "door locks"]
JOBS = "carpenter nurse pilot baker teacher lawyer painter farmer programmer plumber dentist journalist waiter singer gardener tailor sailor chemist librarian butcher".split()
ANIMALS = "cat dog parrot rabbit tortoise hamster goat pony ferret canary donkey goldfish".split()
HOBBIES = ["chess", "sailing", "knitting", "fishing", "photography", "climbing", "cooking", "astronomy", "painting", "running", "gardening", "dancing", "pottery", "cycling"]
FOODS = ["mushroom soup", "pancakes", "fried fish", "potato salad", "apple pie", "noodles", "grilled cheese", "rice pudding", "tomato stew", "roast chicken", "lentils", "dumplings"]
COLOURS = "red blue green yellow black white silver orange purple brown grey turquoise".split()
THINGS = "kettle backpack lamp drill tent camera toaster bicycle radio jacket chair stove speaker printer blender scooter".split()
FORMS = {"company": ["Works", "Labs", "Trading", "& Sons", "Industries", "Systems", "Foods", "Group"],
         "shop": ["Bakery", "Books", "Café", "Pharmacy", "Museum", "Library", "Garage", "Market"],
         "tower": ["Tower", "Bridge", "Hall", "Castle", "Lighthouse", "Cathedral"],
         "train_line": ["Express", "Line", "Shuttle", "Night Train"]}


class Names:
    """Made-up names. The first letters decide for which set a name is, so training never sees one of the evaluation."""

    def __init__(self, rng, heldout):
        self.rng, self.heldout = rng, heldout

    def word(self):
        while True:
            name = "".join(self.rng.choice(SYLLABLES) for _ in range(self.rng.choice((2, 2, 3, 3, 4))))
            if (sum(map(ord, name)) % 5 == 0) == self.heldout:
                return name.capitalize()

    def thing(self, kind):
        word, rng = self.word(), self.rng
        if kind in FORMS:
            return f"{word} {rng.choice(FORMS[kind])}"
        if kind == "person":
            return f"{word} {self.word()}"
        if kind == "book":
            return f"The {word} {rng.choice(['Letters', 'Garden', 'Secret', 'Winter', 'Journey', 'Daughter', 'Promise'])}"
        if kind == "product_item":
            return f"the {word} {rng.choice(THINGS)}"
        return word

    def value(self, kind):
        rng = self.rng
        simple = {"person": lambda: self.thing("person"), "city": self.word, "river": self.word, "currency": lambda: self.word().lower(),
                  "year": lambda: str(rng.randint(1700, 2024)), "count": lambda: str(rng.randint(12, 90000)),
                  "language": lambda: rng.choice(LANGUAGE_NAMES), "product": lambda: rng.choice(PRODUCTS), "job": lambda: rng.choice(JOBS),
                  "animal": lambda: rng.choice(ANIMALS), "hobby": lambda: rng.choice(HOBBIES), "food": lambda: rng.choice(FOODS),
                  "colour": lambda: rng.choice(COLOURS), "hours": lambda: f"from {rng.randint(6, 11)} to {rng.randint(16, 23)}",
                  "phone": lambda: f"{rng.randint(100, 999)}-{rng.randint(1000, 9999)}",
                  "address": lambda: f"{rng.randint(1, 199)} {self.word()} {rng.choice(['Street', 'Road', 'Lane', 'Square'])}",
                  "length": lambda: f"{rng.randint(12, 400)} metres", "money": lambda: f"{rng.randint(5, 900)} {rng.choice(['euros', 'dollars', 'pounds'])}",
                  "weight": lambda: f"{rng.randint(1, 60)} {rng.choice(['kilos', 'kg', 'pounds'])}",
                  "period": lambda: f"{rng.randint(2, 10)} {rng.choice(['years', 'months'])}",
                  "time": lambda: f"{rng.randint(5, 23)}:{rng.randint(0, 59):02d}", "platform": lambda: f"platform {rng.randint(1, 24)}"}
        return simple[kind]()


def ways(relation, key, heldout):
    return relation[key][-2:] if heldout else relation[key][:-2]


def seeded(name, seed=7):
    return random.Random(f"{name}-{seed}")
