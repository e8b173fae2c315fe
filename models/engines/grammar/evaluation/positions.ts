import { hasCharacter, type CharSet } from '../char-set.ts';
import type { GbnfItem, GbnfRule } from '../gbnf-reader.ts';
import { tooAmbiguous } from '../too-costly.ts';
import { createFrames, type Frame } from './frames.ts';

/** A place in a grammar where a character of this set may come next. */
export type Position = { id: number; set: CharSet; after: Frame | undefined };

/** `work` is how many frames llama.cpp visits to find the positions. */
export type Reached = { positions: readonly Position[]; work: number };

export type Positions = ReturnType<typeof createPositions>;

/**
 * The positions of a grammar as llama.cpp tracks them. It does not remember those that it has already seen, so what
 * is instant here can take hours there, and this code finds that out.
 */
export function createPositions(rules: ReadonlyMap<string, GbnfRule>) {
  const { frame } = createFrames();
  const reachedFrom = new Map<Frame | undefined, Reached>();
  const positionsOf = new Map<GbnfItem, Map<Frame | undefined, Position>>();
  let made = 0;

  function reach(start: Frame | undefined): Reached {
    const before = reachedFrom.get(start);
    if (before) return before;
    const seen = new Set<Frame | undefined>([start]);
    const positions = new Set<Position>();
    let work = 0;
    for (const next of seen) {
      work += 1 + (next?.depth ?? 0) / DEPTH_PER_STEP;
      if (seen.size > FRAMES_MAX) throw tooAmbiguous();
      if (next) visit(next, seen, positions);
    }
    const reached = { positions: [...positions], work };
    reachedFrom.set(start, reached);
    return reached;
  }

  function visit(next: Frame, seen: Set<Frame | undefined>, positions: Set<Position>): void {
    const { items, index, count, below } = next;
    const item = items[index];
    if (!item) return;
    if (count >= item.min) seen.add(frame(items, index + 1, 0, below));
    if (count >= item.max) return;
    const again = Math.min(count + 1, item.max === Infinity ? item.min : item.max);
    const isLast = again === item.max;
    const after = isLast ? frame(items, index + 1, 0, below) : frame(items, index, again, below);
    if (item.kind === 'character') return void positions.add(positionAt(item, item.set, after));
    const { alternatives } = item.kind === 'group' ? item : (rules.get(item.name) ?? { alternatives: [] });
    for (const alternative of alternatives) seen.add(frame(alternative, 0, 0, after));
  }

  function positionAt(item: GbnfItem, set: CharSet, after: Frame | undefined): Position {
    const byFrame = positionsOf.get(item) ?? new Map<Frame | undefined, Position>();
    positionsOf.set(item, byFrame);
    const before = byFrame.get(after);
    if (before) return before;
    const position = { id: made++, set, after };
    byFrame.set(after, position);
    return position;
  }

  return {
    start: () => reach(frame([{ kind: 'rule', name: 'root', place: 0, min: 1, max: 1 }], 0, 0, undefined)),
    /** Where a character leads from this position; undefined if it does not fit. */
    step: ({ set, after }: Position, code: number) => (hasCharacter(set, code) ? reach(after) : undefined),
  };
}

/** Reached without a character in between. */
const FRAMES_MAX = 20_000;
/** A frame that lies this deep is copied twice as slowly as one at the bottom. */
const DEPTH_PER_STEP = 64;
