import type { Line } from '../render/lines.ts';
import { END, type Step } from '../screen.ts';

/** A part of a long text, which is rendered only when it is visible. */
export type Block = { id: string; lines: () => readonly Line[] };

type Place = { block: number; line: number };

/** The lines from a position on: `id:line`, or the last ones. */
export function windowOf(blocks: readonly Block[], position: string, room: number): Line[] {
  const shown: Line[] = [];
  const { block, line } = placeOf(blocks, position, room);
  for (let index = block; index < blocks.length && shown.length < room; index++)
    shown.push(...linesOf(blocks, index).slice(index === block ? line : 0, room + line));
  return shown.slice(0, room);
}

/** At the last lines, the text follows what is added. */
export function positionAfter(blocks: readonly Block[], position: string, step: Step, room: number): string {
  if (step === 'last') return END;
  const to = step === 'first' ? FIRST : moved(blocks, placeOf(blocks, position, room), step.by);
  if (!isBefore(to, lastPlace(blocks, room))) return END;
  return `${blocks[to.block]?.id ?? ''}:${to.line}`;
}

const FIRST: Place = { block: 0, line: 0 };

const linesOf = (blocks: readonly Block[], index: number) => blocks[index]?.lines() ?? [];

function isBefore(one: Place, other: Place): boolean {
  return one.block === other.block ? one.line < other.line : one.block < other.block;
}

/** The position from which the last lines fill the room. */
function lastPlace(blocks: readonly Block[], room: number): Place {
  let left = room;
  for (let block = blocks.length - 1; block >= 0; block--) {
    const { length } = linesOf(blocks, block);
    if (length >= left) return { block, line: length - left };
    left -= length;
  }
  return FIRST;
}

function placeOf(blocks: readonly Block[], position: string, room: number): Place {
  const last = lastPlace(blocks, room);
  const [id, line = '0'] = position.split(':');
  const block = blocks.findIndex((each) => each.id === id);
  if (block === -1) return last;
  const place = { block, line: Math.min(Number(line), Math.max(0, linesOf(blocks, block).length - 1)) };
  return isBefore(place, last) ? place : last;
}

function moved(blocks: readonly Block[], from: Place, by: number): Place {
  let { block, line } = from;
  line += by;
  while (line < 0 && block > 0) {
    block -= 1;
    line += linesOf(blocks, block).length;
  }
  while (block < blocks.length - 1 && line >= linesOf(blocks, block).length) {
    line -= linesOf(blocks, block).length;
    block += 1;
  }
  return { block, line: Math.max(0, line) };
}
