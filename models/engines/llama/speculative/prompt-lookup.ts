import type { Token } from 'node-llama-cpp';
import type { Draftable } from '../generation/generation.ts';
import type { Drafter } from './speculative.ts';

/** So many tokens must be the same before a place is taken for one where the text goes on in the same way. */
const SAME_MIN = 3;
/** Longer ones are compared no further. */
const SAME_MAX = 24;
/** Places that are looked at, the latest first. */
const PLACES_MAX = 8;
/** More than a vocabulary has, so that two tokens make one number. */
const PAIR = 2 ** 24;

/**
 * Drafts what came next where the text had the same tokens before: a model that quotes, edits or repeats says the same
 * again. It takes no second model, and next to no time.
 */
export function createPromptLookup({ prompt, generated }: Pick<Draftable, 'prompt' | 'generated'>): Drafter {
  /** The latest place at which a pair of tokens ends, and for each place the one before with the same pair. */
  const latest = new Map<number, number>();
  const earlier: number[] = [];
  let known = 1;

  const length = () => prompt.length + generated.length;
  const at = (place: number): Token | undefined =>
    place < prompt.length ? prompt[place] : generated[place - prompt.length];
  const pairAt = (place: number) => (at(place - 1) ?? 0) * PAIR + (at(place) ?? 0);

  /** All but the last place, which is the one that is looked for. */
  function learn(): void {
    for (; known < length() - 1; known++) {
      const pair = pairAt(known);
      earlier[known] = latest.get(pair) ?? -1;
      latest.set(pair, known);
    }
  }

  function sameBefore(place: number): number {
    const end = length() - 1;
    let same = 0;
    while (same < SAME_MAX && same <= place && at(place - same) === at(end - same)) same++;
    return same;
  }

  /** Where the text was most like it is now. */
  function findPlace(): number | undefined {
    let best: { place: number; same: number } | undefined;
    let place = latest.get(pairAt(length() - 1)) ?? -1;
    for (let looked = 0; place >= 0 && looked < PLACES_MAX; looked++, place = earlier[place] ?? -1) {
      const same = sameBefore(place);
      if (same >= SAME_MIN && same > (best?.same ?? 0)) best = { place, same };
    }
    return best?.place;
  }

  let found: number | undefined;
  return {
    ready() {
      learn();
      found = length() < SAME_MIN ? undefined : findPlace();
      return Promise.resolve(found === undefined ? 0 : Infinity);
    },
    propose(count) {
      if (found === undefined) return Promise.resolve([]);
      const begin = found + 1;
      // What is known from there on, and then the same again: a text that goes round in circles goes on so.
      const known = length() - begin;
      const tokens = Array.from({ length: count }, (_, index) => at(begin + (index % known)) as Token);
      return Promise.resolve(tokens);
    },
    close: () => {},
  };
}
