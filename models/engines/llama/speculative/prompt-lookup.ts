import type { Token } from 'node-llama-cpp';
import type { Draftable } from '../generation/generation.ts';
import type { Drafter } from './speculative.ts';

/** Tokens that must match before a position counts as a repetition. */
const SAME_MIN = 3;
/** Longer matches are not compared further. */
const SAME_MAX = 24;
/** Candidate positions, the latest first. */
const POSITIONS_MAX = 8;
/** Larger than any vocabulary, so that two tokens make one number. */
const PAIR = 2 ** 24;

/**
 * Prompt lookup: drafts what followed the same tokens earlier in the text, since a model that quotes, edits or
 * repeats says the same again. It needs no second model and almost no time.
 */
export function createPromptLookup({ prompt, generated }: Pick<Draftable, 'prompt' | 'generated'>): Drafter {
  /** The latest position where a pair of tokens ends, and for each position the previous one with the same pair. */
  const latest = new Map<number, number>();
  const earlier: number[] = [];
  let known = 1;

  const length = () => prompt.length + generated.length;
  const at = (position: number): Token | undefined =>
    position < prompt.length ? prompt[position] : generated[position - prompt.length];
  const pairAt = (position: number) => (at(position - 1) ?? 0) * PAIR + (at(position) ?? 0);

  /** Every position except the last, which is the one being looked up. */
  function learn(): void {
    for (; known < length() - 1; known++) {
      const pair = pairAt(known);
      earlier[known] = latest.get(pair) ?? -1;
      latest.set(pair, known);
    }
  }

  function sameBefore(position: number): number {
    const end = length() - 1;
    let same = 0;
    while (same < SAME_MAX && same <= position && at(position - same) === at(end - same)) same++;
    return same;
  }

  /** The earlier position whose text matches the current end best. */
  function findPosition(): number | undefined {
    let best: { position: number; same: number } | undefined;
    let position = latest.get(pairAt(length() - 1)) ?? -1;
    for (
      let looked = 0;
      position >= 0 && looked < POSITIONS_MAX;
      looked++, position = earlier[position] ?? -1
    ) {
      const same = sameBefore(position);
      if (same >= SAME_MIN && same > (best?.same ?? 0)) best = { position, same };
    }
    return best?.position;
  }

  let found: number | undefined;
  return {
    ready() {
      learn();
      found = length() < SAME_MIN ? undefined : findPosition();
      return Promise.resolve(found === undefined ? 0 : Infinity);
    },
    propose(count) {
      if (found === undefined) return Promise.resolve([]);
      const begin = found + 1;
      // What followed there, and then the same again: a text that loops keeps looping.
      const known = length() - begin;
      const tokens = Array.from({ length: count }, (_, index) => at(begin + (index % known)) as Token);
      return Promise.resolve(tokens);
    },
    close: () => {},
  };
}
