import { setTimeout as sleep } from 'node:timers/promises';
import { anySignal } from '../../../src/base/any-signal.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type TerminalInput, type TerminalOutput } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { truncate } from '../../output/display-width.ts';
import { activityOf, type Activity, type Sample } from './activity.ts';
import { readScrape } from './scrape.ts';
import { topText } from './view.ts';

const EVERY_MS = 1000;
/** Percentiles and graphs show the last minute. */
const KEPT = 60;
const ROWS = 24;
const QUIT_KEYS = ['q', 'Q', '\u0003'];

type Size = { rows?: number };
type Raw = { setRawMode?: (isRaw: boolean) => void };

/** One sample now, or one each second until the person leaves. */
export async function followTop(context: Context, { isOnce }: { isOnce: boolean }): Promise<void> {
  const { io, output } = context;
  const client = await context.connect();
  const history: Activity[] = [];
  const samples: Sample[] = [];
  const look = async () => {
    const sample = { atMs: performance.now(), scrape: readScrape(await client.metrics()) };
    const latest = activityOf(sample, samples.at(-1), samples.at(-KEPT) ?? samples[0]);
    samples.push(sample);
    history.push(latest);
    for (const list of [samples, history]) if (list.length > KEPT) list.shift();
    return { schema: 'top/1', ...latest };
  };
  const textOf = await createText(context);
  if (isOnce) return output.result(await look(), () => textOf(history, output.width));
  if (output.json || !io.stdout.isTTY) return report(context, look, () => textOf(history, output.width));
  await draw(context, look, (width) => textOf(history, width));
}

async function createText({ environment, output }: Context) {
  const { chooseGlyphs, sparkline } = await import('../../tui/render/theme.ts');
  const glyphs = chooseGlyphs(environment.env);
  return (history: readonly Activity[], width: number) =>
    topText(history, {
      spark: (values, room) => sparkline(values, room, { ...glyphs }),
      screen: { width: width === Infinity ? 100 : width, header: output.header },
    });
}

/** In a pipe, samples follow each other: as lines of JSON, or as text. */
async function report({ output, signal }: Context, look: () => Promise<object>, text: () => string) {
  for (;;) {
    const document = await look();
    output.line(output.json ? JSON.stringify(document) : `${text()}\n`);
    await sleep(EVERY_MS, undefined, { signal });
  }
}

/** On a terminal, in place. q and Ctrl-C end it, and the screen is restored. */
async function draw({ io, signal }: Context, look: () => Promise<object>, text: (width: number) => string) {
  const { takeScreen } = await import('../../tui/terminal.ts');
  const screen = takeScreen(io.stdout, true);
  const quit = new AbortController();
  const ended = anySignal(signal, quit.signal);
  const stopKeys = watchKeys(io.stdin, () => quit.abort());
  const show = () => io.stdout.write(frameOf(text(columnsOf(io.stdout)), io.stdout));
  const onResize = () => {
    screen.clear();
    show();
  };
  io.stdout.on('resize', onResize);
  try {
    while (!ended.aborted) {
      await look();
      show();
      await sleep(EVERY_MS, undefined, { signal: ended });
    }
  } catch (error) {
    if (!quit.signal.aborted) throw error;
  } finally {
    io.stdout.off('resize', onResize);
    stopKeys();
    screen.release();
  }
}

/** From the top left corner; each line clears what it replaces. */
function frameOf(text: string, stdout: TerminalOutput): string {
  const { rows = ROWS } = stdout as Size;
  const lines = text.split('\n').slice(0, Math.max(1, rows - 1));
  const drawn = lines.map((line) => `${cut(line, columnsOf(stdout))}\u001b[K`);
  return `\u001b[H${drawn.join('\r\n')}\r\n\u001b[J`;
}

/** The title is styled, and short enough as it is. */
function cut(line: string, width: number): string {
  return line.startsWith('\u001b') ? line : truncate(sanitiseLine(line), width - 1);
}

function watchKeys(stdin: TerminalInput, onQuit: () => void): () => void {
  if (stdin.isTTY !== true) return () => undefined;
  const { setRawMode } = stdin as Raw;
  const onData = (data: Buffer | string) => {
    if ([...String(data)].some((key) => QUIT_KEYS.includes(key))) onQuit();
  };
  setRawMode?.call(stdin, true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    setRawMode?.call(stdin, false);
    stdin.pause();
  };
}
