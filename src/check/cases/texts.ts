/** Letters of a script, by code point. */
const SCRIPTS: Readonly<Record<string, readonly [first: number, last: number]>> = {
  Latin: [0xc0, 0x24f],
  Greek: [0x391, 0x3c9],
  Cyrillic: [0x410, 0x44f],
  Hebrew: [0x5d0, 0x5ea],
  Arabic: [0x627, 0x64a],
  Devanagari: [0x905, 0x939],
  Thai: [0xe01, 0xe2e],
  Georgian: [0x10d0, 0x10f0],
  Hangul: [0xac00, 0xd7a3],
  Kana: [0x3042, 0x30f6],
  Han: [0x4e00, 0x9fa5],
  emoji: [0x1f600, 0x1f64f],
};
const WORDS = 'The quick brown fox jumps over a lazy dog; does it read every word, Mr. Quill? YES!'.split(
  ' ',
);
const CODE = [
  '{',
  '}',
  '()',
  ' => ',
  ';\n',
  '\t',
  '  ',
  '==',
  '!=',
  '"',
  "'",
  '\\',
  '/*',
  '*/',
  '<',
  '>',
  '#',
];
const CONTROLS = ['\u0000', '\u0007', '\u001b', '\u007f', '\u00a0', '\u200b', '\u200d', '\ufeff', '\r\n'];
const JOINED = ['👩‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', 'e\u0301', '🇫🇷', 'ﬁ', '½'];

export type TestText = { kind: string; text: string };

/** Texts of all kinds, the same each time. The kinds alternate. */
export function testTexts(count: number): TestText[] {
  const random = seeded(7);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const several = (make: () => string, joint = '') =>
    Array.from({ length: 2 + Math.floor(random() * 12) }, make).join(joint);
  const makers: [kind: string, make: () => string][] = [
    ['English', () => several(() => pick(WORDS), ' ')],
    ['numbers', () => several(() => String(Math.floor(random() * 1e6)), pick([' ', ',', '.']))],
    ['code', () => several(() => pick(random() < 0.5 ? CODE : WORDS))],
    ['control characters', () => several(() => pick(random() < 0.5 ? CONTROLS : WORDS))],
    ['joined characters', () => several(() => pick(random() < 0.5 ? JOINED : WORDS), ' ')],
    ...Object.entries(SCRIPTS).map(([kind, [first, last]]): [string, () => string] => [
      kind,
      () => several(() => letters(first, last, random), ' '),
    ]),
  ];
  return Array.from({ length: count }, (_, index) => {
    const [kind, make] = makers[index % makers.length] as [string, () => string];
    return { kind, text: make() };
  });
}

function letters(first: number, last: number, random: () => number): string {
  const length = 1 + Math.floor(random() * 6);
  const points = Array.from({ length }, () => first + Math.floor(random() * (last - first + 1)));
  return String.fromCodePoint(...points);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
