import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionAfter, windowOf, type Block } from '../../../../cli/tui/chat/scrolling.ts';
import { line, textOf } from '../../../../cli/tui/render/lines.ts';
import { END } from '../../../../cli/tui/screen.ts';

function blocksOf(lengths: readonly number[]) {
  let rendered = 0;
  const blocks = lengths.map((length, index): Block => ({
    id: `m${index}`,
    lines() {
      rendered += 1;
      return Array.from({ length }, (_, each) => line(`${index}.${each}`));
    },
  }));
  return { blocks, rendered: () => rendered };
}

const shownBy = (blocks: readonly Block[], position: string, room: number) =>
  windowOf(blocks, position, room).map(textOf);

test('steps show what the whole text has at that place, and the end follows', () => {
  const step = fc.oneof(
    fc.integer({ min: -12, max: 12 }).map((by) => ({ by })),
    fc.constantFrom('first' as const, 'last' as const),
  );
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
      fc.array(step, { maxLength: 20 }),
      fc.integer({ min: 1, max: 15 }),
      (lengths, steps, room) => {
        const { blocks } = blocksOf(lengths);
        const all = blocks.flatMap((block) => block.lines().map(textOf));
        const last = Math.max(0, all.length - room);
        let at = last;
        let position: string = END;
        for (const each of steps) {
          at = each === 'first' ? 0 : each === 'last' ? last : Math.max(0, Math.min(last, at + each.by));
          position = positionAfter(blocks, position, each, room);
          expect(shownBy(blocks, position, room)).toEqual(all.slice(at, at + room));
        }
        if (at === last) expect(position === END || steps.length === 0).toBe(true);
      },
    ),
  );
});

test('of a long conversation only what is seen is rendered', () => {
  const { blocks, rendered } = blocksOf(Array.from({ length: 1000 }, () => 10));
  let position = positionAfter(blocks, END, { by: -1 }, 20);
  expect(shownBy(blocks, position, 20)[0]).toBe('997.9');
  position = positionAfter(blocks, position, 'first', 20);
  expect(shownBy(blocks, position, 20)).toHaveLength(20);
  expect(rendered()).toBeLessThan(60);
});
