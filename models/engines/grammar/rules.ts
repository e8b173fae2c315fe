import { tooCostly } from './too-costly.ts';

/** Builds the rules of a GBNF grammar. */
export type Rules = ReturnType<typeof createRules>;

/** Repetitions are unrolled into this many rules, because llama.cpp limits them. */
const BLOCK = 128;
/**
 * About 100 ms of one core. Steps are counted rather than time, so that a busy machine refuses no more than an idle
 * one.
 */
const STEPS_MAX = 1_000_000;

export function createRules() {
  let steps = 0;
  const bodies = new Map<string, string>();
  const names = new Map<string, string>();
  const used = new Map<string, number>();

  /** Counts work on the grammar, about one step for each character or part that is examined. */
  function spend(count: number): void {
    steps += count;
    if (steps > STEPS_MAX) throw tooCostly('building its grammar takes too long', 'Use a smaller schema');
  }

  /** The name of a rule with this body; an existing one is reused. */
  function define(hint: string, body: string): string {
    spend(body.length);
    const known = names.get(body);
    if (known !== undefined) return known;
    const name = reserve(hint);
    names.set(body, name);
    bodies.set(name, body);
    return name;
  }

  /** Reserves a name whose body comes later, for recursive rules. */
  function reserve(hint: string): string {
    const base = hint.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'rule';
    let name = base;
    while (bodies.has(name)) {
      const number = (used.get(base) ?? 1) + 1;
      used.set(base, number);
      name = `${base}-${number}`;
    }
    bodies.set(name, '');
    return name;
  }

  /** `item` from `min` to `max` times, however many that is. */
  function repeat(item: string, min: number, max = Infinity): string {
    if (max === 0) return '""';
    if (max <= BLOCK) return `${item}{${min},${max}}`;
    if (max === Infinity && min <= BLOCK) return min === 0 ? `${item}*` : `${item}{${min},}`;
    const block = define('block', `${item}{${BLOCK}}`);
    const blocks = Math.floor(min / BLOCK);
    const rest = upTo({ item, block, min: min % BLOCK, max: max - blocks * BLOCK });
    return blocks === 0 ? rest : `(${repeat(block, blocks, blocks)} ${rest})`;
  }

  type Span = { item: string; block: string; min: number; max: number };

  function upTo({ item, block, min, max }: Span): string {
    if (max === Infinity) return `${item}{${min},}`;
    let body = `${item}{0,${max % BLOCK}}`;
    for (let left = max - (max % BLOCK); left > 0; left -= BLOCK) {
      const isLast = left === BLOCK;
      const shorter = `${item}{${isLast ? min : 0},${BLOCK - 1}}`;
      body = define('up-to', `${block} ${body} | ${shorter}`);
    }
    return body;
  }

  return {
    spend,
    define,
    reserve,
    repeat,
    fill(name: string, body: string) {
      spend(body.length);
      bodies.set(name, body);
    },
    text: () => [...bodies].map(([name, body]) => `${name} ::= ${body}\n`).join(''),
  };
}

/** Exactly this text. */
export function literal(text: string): string {
  return `"${[...text].map(escapeCharacter).join('')}"`;
}

/** One of these characters and ranges, written as between brackets. */
export function characterIn(text: string): string {
  return [...text]
    .map((character) => (/[\]\\^-]/.test(character) ? hex(character) : escapeCharacter(character)))
    .join('');
}

export function oneOf(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? (alternatives[0] ?? '') : `(${alternatives.join(' | ')})`;
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return character < ' ' || character === '\x7f' ? hex(character) : character;
}

function hex(character: string): string {
  return `\\x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}
