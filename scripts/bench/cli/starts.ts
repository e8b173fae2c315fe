import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startAskd, type TestOptions } from '../../../src/client/testing/testing.ts';
import { percentile, type Figure } from '../accounts/report.ts';

const run = promisify(execFile);
const SCRIPT = { script: { rules: [{ answer: { text: 'Hello.' } }] } };

type Variables = Record<string, string>;
/** Resolves to the milliseconds that it took. */
type Work = () => Promise<number>;

/** How long commands and daemons take to start. They take turns, so that a busy moment slows all of them. */
export async function measureStarts({ askd, env, rounds }: { askd: string; env: Variables; rounds: number }) {
  const node = (...args: string[]) => timed(() => execute(args, env));
  const [bare = NaN, version = NaN, models = NaN] = await mediansOf(rounds, [
    () => node('-e', '0'),
    () => node(askd, '--version'),
    () => node(askd, 'models', '--json'),
  ]);
  const [chat = NaN, scripted = NaN, starter = NaN] = await mediansOf(rounds, [
    () => chatFromNothing(askd),
    () => testDaemon(SCRIPT),
    () => testDaemon('starter'),
  ]);
  return [
    duration('node that does nothing', bare),
    duration('askd --version', version),
    ratio('the same, against that node', version / bare, 1.4),
    duration('askd models --json', models),
    ratio('the same, against that node', models / bare, 2.2),
    duration('askd chat hi in an empty home', chat, 2000),
    duration('startAskd with a script', scripted, 400),
    duration('startAskd with the starter models', starter, 2000),
  ];
}

async function mediansOf(rounds: number, works: readonly Work[]): Promise<number[]> {
  const times = works.map((): number[] => []);
  // The first round fills caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, work] of works.entries()) {
      const ms = await work();
      if (round > 0) times[index]?.push(ms);
    }
  }
  return times.map((each) => percentile(each, 0.5));
}

async function chatFromNothing(askd: string): Promise<number> {
  const home = await mkdtemp(path.join(tmpdir(), 'askd-bench-'));
  const env = { ASKD_HOME: home, ASKD_PORT: '0', ASKD_OFFLINE: 'true' };
  try {
    return await timed(() => execute([askd, 'chat', '--quiet', 'hi'], env));
  } finally {
    await execute([askd, 'down'], env);
    await rm(home, { recursive: true, force: true });
  }
}

async function testDaemon(models: NonNullable<TestOptions['models']>): Promise<number> {
  const from = performance.now();
  const { stop } = await startAskd({ models });
  const ms = performance.now() - from;
  await stop();
  return ms;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function execute(args: readonly string[], env: Variables): Promise<void> {
  const running = run(process.execPath, [...args], { env: { ...process.env, ...env } });
  // Piped input would become part of the question.
  running.child.stdin?.end();
  await running;
}

function duration(what: string, value: number, atMost?: number): Figure {
  return { label: `${what}, median`, unit: 'ms', value, ...(atMost !== undefined && { goal: { atMost } }) };
}

function ratio(label: string, value: number, atMost: number): Figure {
  return { label, unit: 'x', value, goal: { atMost } };
}
