import { intersection, union, type CharSet } from './char-set.ts';
import { firstClasses, type Language, type Languages } from './language.ts';

/** A state of the automaton; the first one is the start. */
export type State = { isEnd: boolean; next: readonly Step[] };
type Step = { set: CharSet; to: number };

/**
 * The deterministic automaton of a language over this alphabet, without dead states; undefined for the empty
 * language.
 */
export function automatonOf(
  start: Language,
  languages: Languages,
  { alphabet, statesMax, onSpent }: { alphabet: CharSet; statesMax: number; onSpent: () => never },
): readonly State[] {
  const numbers = new Map([[start, 0]]);
  const states: State[] = [];
  for (const language of numbers.keys()) {
    const targets = new Map<Language, CharSet>();
    for (const first of firstClasses(language)) {
      const set = intersection(first, alphabet);
      if (set.length === 0) continue;
      const to = languages.after(language, set[0]?.[0] ?? 0);
      if (to === languages.nothing) continue;
      targets.set(to, union([...(targets.get(to) ?? []), ...set]));
      if (!numbers.has(to)) numbers.set(to, numbers.size);
    }
    if (numbers.size > statesMax) onSpent();
    const next = [...targets].map(([to, set]) => ({ set, to: numbers.get(to) ?? 0 }));
    states.push({ isEnd: language.hasEmpty, next });
  }
  return withoutDeadEnds(states);
}

function withoutDeadEnds(states: readonly State[]): readonly State[] {
  const before = states.map((): number[] => []);
  for (const [from, { next }] of states.entries()) for (const { to } of next) before[to]?.push(from);
  const open = states.flatMap(({ isEnd }, place) => (isEnd ? [place] : []));
  const alive = new Set(open);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const from of before[place] ?? []) {
      if (alive.has(from)) continue;
      alive.add(from);
      open.push(from);
    }
  }
  if (!alive.has(0)) return [];
  const kept = [...states.keys()].filter((place) => alive.has(place));
  const numbers = new Map(kept.map((place, number) => [place, number]));
  const known = ({ set, to }: Step) => (numbers.has(to) ? [{ set, to: numbers.get(to) ?? 0 }] : []);
  return states.flatMap(({ isEnd, next }, place) =>
    alive.has(place) ? [{ isEnd, next: next.flatMap(known) }] : [],
  );
}
