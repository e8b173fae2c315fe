import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameWriter, UNCHANGED } from '../../../../cli/tui/render/frame-writer.ts';

const COLUMNS = 20;
const ROWS = 8;

/** A terminal that shows what is written to it. */
function terminal() {
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  let bytes = 0;
  const stdout = Object.assign(new PassThrough(), { columns: COLUMNS, rows: ROWS, isTTY: true });
  const written: string[] = [];
  stdout.on('data', (part: Buffer) => {
    bytes += part.length;
    written.push(part.toString());
  });
  const settle = () =>
    new Promise<void>((resolve) => setImmediate(() => screen.write(written.splice(0).join(''), resolve)));
  const text = () =>
    Array.from(
      { length: ROWS },
      (_, row) => screen.buffer.active.getLine(row)?.translateToString(true) ?? '',
    );
  return { stdout: stdout as unknown as NodeJS.WriteStream, settle, text, bytes: () => bytes };
}

test('whatever the frames are, the screen shows the last one', async () => {
  const line = fc.stringMatching(/^[a-z ]{0,20}$/);
  const frame = fc
    .array(line, { minLength: 1, maxLength: ROWS })
    .map((lines) => lines.map((each) => each.trimEnd()))
    // An empty text is Ink's question whether all is written, and never a frame.
    .filter((lines) => lines.join('\n') !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
      const { stdout, settle, text } = terminal();
      const writer = createFrameWriter(stdout);
      for (const each of frames) writer.stream.write(each.join('\n'));
      await settle();
      const last = frames.at(-1) ?? [];
      expect(text()).toEqual(Array.from({ length: ROWS }, (_, row) => last[row] ?? ''));
    }),
    { numRuns: 200 },
  );
});

test('only the lines that differ are written', async () => {
  const { stdout, settle, bytes } = terminal();
  const writer = createFrameWriter(stdout);
  writer.stream.write(['one', 'two', 'three'].join('\n'));
  await settle();
  const before = bytes();
  writer.stream.write(['one', 'two', 'three'].join('\n'));
  await settle();
  expect(bytes()).toBe(before);
  writer.stream.write(['one', 'TWO', 'three'].join('\n'));
  await settle();
  expect(bytes() - before).toBeLessThan(40);
});

test('a line that is as it was stays, until the screen is forgotten', async () => {
  const { stdout, settle, text } = terminal();
  const writer = createFrameWriter(stdout);
  writer.stream.write(['one', 'two', 'three'].join('\n'));
  writer.stream.write([UNCHANGED, 'TWO', UNCHANGED].join('\n'));
  writer.stream.write([UNCHANGED, UNCHANGED, 'THREE'].join('\n'));
  await settle();
  expect(text().slice(0, 3)).toEqual(['one', 'TWO', 'THREE']);
});

test('the more a paint writes, the longer what comes by itself waits; never long', async () => {
  const { stdout, settle } = terminal();
  const writer = createFrameWriter(stdout, () => ({ user: 0, system: 0 }));
  writer.stream.write('one');
  expect(writer.restMs()).toBe(100);
  writer.stream.write(Array.from({ length: 8 }, (_, row) => `${row}`.repeat(400)).join('\n'));
  expect(writer.restMs()).toBeGreaterThan(500);
  expect(writer.restMs()).toBeLessThanOrEqual(1000);
  writer.stream.write(Array.from({ length: 8 }, (_, row) => `${row}`.repeat(400)).join('\n'));
  expect(writer.restMs()).toBe(100);
  await settle();
});

test('the more processor time a frame took, the longer what comes by itself waits, so that it never takes a core', async () => {
  const { stdout, settle } = terminal();
  const used = { user: 900_000, system: 0 };
  const writer = createFrameWriter(stdout, () => ({ ...used }));
  const frameThatTakes = (microseconds: number) => {
    used.user += microseconds / 2;
    used.system += microseconds / 2;
    writer.stream.write(`a frame at ${used.user}`);
    return writer.restMs();
  };
  expect(frameThatTakes(0), 'what came before the first frame does not count').toBe(100);
  expect(frameThatTakes(5000)).toBe(100);
  expect(frameThatTakes(40_000)).toBe(320);
  expect(frameThatTakes(900_000)).toBe(1000);
  expect(frameThatTakes(5000)).toBe(100);
  await settle();
});
