import { seededRandom, type Random } from './random.ts';

export type QuestionKind =
  'one-hop' | 'two-hop' | 'comparison' | 'count' | 'dates' | 'contradiction' | 'absent';
/** `answer` is undefined where no page says it. */
export type WorldQuestion = { kind: QuestionKind; text: string; answer: string | undefined };
export type WorldPage = { path: string; title: string; paragraphs: string[] };
export type World = ReturnType<typeof createWorld>;

type Person = { name: string; born: string; town: string; bridges: string[] };
type Bridge = {
  name: string;
  architect: Person;
  river: string;
  opened: string;
  metres: number;
  /** By its own page, and by that of its guide. */
  widths: [number, number];
};

const START = 'bal cor del fen gar hol jor kel lan mor nar pel quin ros sal tor ul ven wex yar zel'.split(
  ' ',
);
const MIDDLE = 'a e i o ana eri olo umi ade ine'.split(' ');
const END = 'bek dal fors gren holm kar lund mar nik rath sten tov vik wen zan'.split(' ');

const FILLER = [
  'Travellers have written about the weather there for as long as anybody can remember.',
  'A small museum nearby keeps drawings, letters and a model made of wood.',
  'Every autumn a market is held, to which farmers of the region bring cheese and apples.',
  'The newspapers of the time wrote about little else for several weeks.',
  'Repairs were made more than once, and the costs were argued about each time.',
  'Schools take their pupils there, who are asked to count the steps.',
];

const PEOPLE = 14;
const BRIDGES = 36;
const PER_KIND = 11;

/** Made-up bridges and architects, so that no model can know them: pages about them, and questions with answers. */
export function createWorld(seed: number) {
  const random = seededRandom(seed);
  const names = uniqueNames(random);
  const people = Array.from({ length: PEOPLE }, () => makePerson(random, names));
  const bridges = Array.from({ length: BRIDGES }, (_, index) =>
    makeBridge(random, names, people[index % PEOPLE] as Person),
  );
  const pages = [
    ...people.map((person) => personPage(random, person)),
    ...bridges.map((bridge) => bridgePage(random, bridge)),
    ...bridges.slice(0, PER_KIND).map((bridge) => guidePage(random, bridge)),
  ];
  const questions = [
    ...take(bridges, (bridge) => ask('one-hop', `Which river does the ${bridge.name} cross?`, bridge.river)),
    ...take(bridges, ({ name, architect }) =>
      ask('two-hop', `In which town was the architect of the ${name} born?`, architect.town),
    ),
    ...take(pairs(bridges), ([a, b]) =>
      ask(
        'comparison',
        `Which is longer, the ${a.name} or the ${b.name}?`,
        a.metres > b.metres ? a.name : b.name,
      ),
    ),
    ...take(people, (person) =>
      ask('count', `How many bridges did ${person.name} design?`, String(person.bridges.length)),
    ),
    ...take(pairs(bridges), ([a, b]) =>
      ask(
        'dates',
        `How many days lie between the openings of the ${a.name} and the ${b.name}?`,
        daysBetween(a, b),
      ),
    ),
    ...take(bridges, ({ name, widths: [a, b] }) =>
      ask('contradiction', `How wide is the ${name}, in metres?`, `${Math.min(a, b)} or ${Math.max(a, b)}`),
    ),
    ...take(people, (person) => ask('absent', `What was the name of the wife of ${person.name}?`, undefined)),
  ];
  return { pages, questions };
}

const ask = (kind: QuestionKind, text: string, answer: string | undefined): WorldQuestion => ({
  kind,
  text,
  answer,
});

function take<Item>(items: readonly Item[], make: (item: Item) => WorldQuestion): WorldQuestion[] {
  return items.slice(0, PER_KIND).map(make);
}

function uniqueNames(random: Random): () => string {
  const used = new Set<string>();
  return () => {
    for (;;) {
      const name = random.pick(START) + random.pick(MIDDLE) + random.pick(END);
      if (used.has(name)) continue;
      used.add(name);
      return name.charAt(0).toUpperCase() + name.slice(1);
    }
  };
}

function makePerson(random: Random, name: () => string): Person {
  return { name: `${name()} ${name()}`, born: makeDate(random, 1840, 1900), town: name(), bridges: [] };
}

function makeBridge(random: Random, name: () => string, architect: Person): Bridge {
  const bridge = {
    name: `${name()} Bridge`,
    architect,
    river: name(),
    opened: makeDate(random, 1905, 1960),
    metres: random.between(90, 1900),
    widths: widthsOf(random),
  };
  architect.bridges.push(bridge.name);
  return bridge;
}

function widthsOf(random: Random): [number, number] {
  const width = random.between(6, 30);
  return [width, width + random.between(1, 9)];
}

function makeDate(random: Random, from: number, to: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${random.between(from, to)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
}

function personPage(random: Random, { name, born, town, bridges }: Person): WorldPage {
  const list = bridges.map((bridge) => `the ${bridge}`).join(', ');
  return {
    path: slug(name),
    title: name,
    paragraphs: [
      `${name} was born on ${born} in ${town}. ${filler(random)}`,
      filler(random),
      `${name} designed the following bridges: ${list}. ${filler(random)}`,
      filler(random),
    ],
  };
}

function bridgePage(random: Random, { name, architect, river, opened, metres, widths }: Bridge): WorldPage {
  return {
    path: slug(name),
    title: `The ${name}`,
    paragraphs: [
      `The ${name} crosses the river ${river}. ${filler(random)}`,
      `The ${name} was designed by ${architect.name}. ${filler(random)}`,
      `The ${name} is ${widths[0]} metres wide. ${filler(random)}`,
      `The ${name} was opened on ${opened}. The ${name} is ${metres} metres long. ${filler(random)}`,
    ],
  };
}

/** Knows the bridge too, but gives a different width. */
function guidePage(random: Random, { name, widths }: Bridge): WorldPage {
  return {
    path: `guide-to-${slug(name)}`,
    title: `A guide to the ${name}`,
    paragraphs: [
      `This guide leads in half a day from the station to the ${name} and back. ${filler(random)}`,
      `The ${name} is ${widths[1]} metres wide. ${filler(random)}`,
      filler(random),
    ],
  };
}

function filler(random: Random): string {
  return Array.from({ length: random.between(2, 5) }, () => random.pick(FILLER)).join(' ');
}

function pairs(bridges: readonly Bridge[]): [Bridge, Bridge][] {
  return bridges.slice(0, -1).map((bridge, index) => [bridge, bridges[index + 1] as Bridge]);
}

function daysBetween(a: Bridge, b: Bridge): string {
  return String(Math.abs(Date.parse(a.opened) - Date.parse(b.opened)) / 86_400_000);
}

const slug = (name: string) => name.toLowerCase().replace(/ /g, '-');

export const asMarkdown = ({ title, paragraphs }: WorldPage) => `# ${title}\n\n${paragraphs.join('\n\n')}\n`;

export const asHtml = ({ title, paragraphs }: WorldPage) =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav><a href="/">All pages</a></nav><article><h1>${title}</h1>` +
  `${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article></body></html>`;
