import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import { createRegion } from '../../../../cli/tui/live/region.ts';

const PROMPT = '$ askd agent';

/** A terminal with a command typed on its first line. */
function openScreen(columns: number, rows: number) {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const stream = new PassThrough();
  let written = '';
  stream.on('data', (part: Buffer) => {
    written += part.toString('utf8');
    screen.write(part);
  });
  stream.write(`${PROMPT}\r\n`);
  const region = createRegion(stream, () => screen.cols);
  /** All that can be scrolled to. */
  const lines = async (): Promise<string[]> => {
    await new Promise<void>((resolve) => screen.write('', resolve));
    const { active } = screen.buffer;
    const all = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    );
    return all.join('\n').trimEnd().split('\n');
  };
  return { screen, region, lines, take: () => [written, (written = '')][0] ?? '' };
}

test('finished lines stay above, in order, and the region below them is painted anew', async () => {
  const { region, lines } = openScreen(40, 6);
  region.update([], ['one', 'two']);
  region.update(['done 1', 'done 2'], ['three']);
  region.update([], ['four', 'five']);
  expect(await lines()).toEqual([PROMPT, 'done 1', 'done 2', 'four', 'five']);
  region.update(['done 3', 'done 4', 'done 5', 'done 6'], []);
  expect(await lines()).toEqual([PROMPT, 'done 1', 'done 2', 'done 3', 'done 4', 'done 5', 'done 6']);
});

test('a line that did not change is not written again, and nothing at all where none did', () => {
  const { region, take } = openScreen(40, 6);
  region.update([], ['first', 'second']);
  take();
  region.update([], ['first', 'changed']);
  const text = take();
  expect(text).toContain('changed');
  expect(text).not.toContain('first');
  expect(text.startsWith('\u001b[?2026h') && text.endsWith('\u001b[?2026l')).toBe(true);
  region.update([], ['first', 'changed']);
  expect(take()).toBe('');
});

test('a narrower or wider terminal leaves no line of the region behind', async () => {
  const { screen, region, lines } = openScreen(40, 10);
  region.update(['done'], ['a line of the region that is long', 'and another that is as long']);
  await lines();
  screen.resize(20, 10);
  region.update([], ['short', 'shorter']);
  expect(await lines()).toEqual([PROMPT, 'done', 'short', 'shorter']);
  screen.resize(60, 10);
  region.update([], ['a line that is longer again, as there is room']);
  expect(await lines()).toEqual([PROMPT, 'done', 'a line that is longer again, as there is room']);
});

test('others write where the region was', async () => {
  const { screen, region, lines } = openScreen(40, 6);
  region.update([], ['running', 'status']);
  region.clear();
  screen.write('An answer\r\n');
  region.update([], ['running']);
  expect(await lines()).toEqual([PROMPT, 'An answer', 'running']);
});
