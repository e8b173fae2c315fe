import type { CharSet } from '../char-set.ts';
import { tooAmbiguous } from '../too-costly.ts';
import type { Position, Positions } from './positions.ts';

/** As far as most tokens reach. */
const CHARACTERS = 8;
/** How many of the costliest continuations are followed at each character. */
const WIDTH = 2;
/** llama.cpp takes about 0.2 µs per visit, so about 20 ms for the costliest token. */
const STEPS_MAX = 100_000;

/** Each position is compared with the whole vocabulary if the model prefers a token that does not fit. */
export const PLACES_MAX = 1024;

/** Positions with the number of parses that lead to each. */
type Readings = ReadonlyMap<Position, number>;
type Branch = { at: Readings; steps: number };

/**
 * Throws if llama.cpp may do too much work to try one token: it follows each parse of the token separately, even
 * parses that meet again, so ambiguity multiplies from character to character. The costliest continuations are
 * followed; the result is the positions after one of them.
 */
export function checkAhead(from: Iterable<Position>, positions: Positions): ReadonlySet<Position> {
  let branches: Branch[] = [{ at: new Map([...from].map((position) => [position, 1])), steps: 0 }];
  let after: Readings = new Map();
  for (let character = 0; character < CHARACTERS; character++) {
    const next = branches.flatMap((branch) => continuations(branch, positions));
    branches = next.toSorted((one, other) => other.steps - one.steps).slice(0, WIDTH);
    after = branches[0]?.at ?? after;
  }
  return new Set(after.keys());
}

function continuations({ at, steps }: Branch, positions: Positions): Branch[] {
  return representatives([...at.keys()].map(({ set }) => set)).flatMap((code) => {
    const next = new Map<Position, number>();
    let all = steps;
    for (const [position, times] of at) {
      const reached = positions.step(position, code);
      if (!reached) continue;
      all += times * reached.work;
      if (all > STEPS_MAX) throw tooAmbiguous();
      for (const each of reached.positions) next.set(each, (next.get(each) ?? 0) + times);
    }
    if (next.size > PLACES_MAX) throw tooAmbiguous();
    return all > steps ? [{ at: next, steps: all }] : [];
  });
}

/** For large classes such as all letters, the first ranges stand for the others; for many positions, fewer do. */
const REPRESENTATIVES_MAX = 32;
const TRIALS_MAX = 2048;

/** A character from each class that the sets tell apart: membership only changes where a range begins or ends. */
function representatives(sets: readonly CharSet[]): number[] {
  const codes = new Set<number>();
  const most = Math.max(4, Math.min(REPRESENTATIVES_MAX, TRIALS_MAX / sets.length));
  for (const set of new Set(sets)) {
    for (const [low, high] of set) {
      if (codes.size >= most) return [...codes];
      codes.add(low);
      codes.add(high + 1);
    }
  }
  return [...codes];
}
