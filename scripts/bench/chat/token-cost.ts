import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSyntheticModel } from '../../../src/gguf/synthetic-model.ts';
import { reportLines } from '../accounts/report.ts';
import { startAskd, type Askd } from '../overhead/askd.ts';
import { createChatClient } from '../overhead/chat-client.ts';
import { median } from '../overhead/timing.ts';

/**
 * The processor time that the main threads of daemon and runner take for a token of one stream, beside that of the
 * smallest pair of Node processes that does the same. Linux counts it.
 */
const LIMIT_MS = 1;
const MODEL = 'synthetic';
const DEADLINE_MS = 120_000;

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const [rounds, tokens] = options.quick ? [2, 100] : [5, 300];

type Server = { baseUrl: string; key: string };
type Side = Server & { pids: readonly number[] };

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-tokens-'));
const [before = 0] = loadavg();
try {
  const file = path.join(folder, 'synthetic.gguf');
  await writeSyntheticModel(file);
  await using daemon = await startAskd({});
  const askd = await load(daemon, file);
  await using bare = await openBare();
  await stream(bare);
  const pairs: { askd: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await tokenCost(askd);
    pairs.push({ askd: ours, bare: await tokenCost(bare) });
  }
  const of = (side: 'askd' | 'bare') => median(pairs.map((pair) => pair[side]));
  const ratio = median(pairs.map((pair) => pair.askd / pair.bare));
  const lines = reportLines([
    { label: 'daemon and runner, a token', unit: 'ms', value: of('askd'), goal: { atMost: LIMIT_MS } },
    { label: 'two bare Node processes, a token', unit: 'ms', value: of('bare') },
    { label: 'the same, askd / bare', unit: 'x', value: ratio },
  ]);
  console.log(lines.join('\n'));
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`Medians of ${rounds} rounds. Load ${before.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}.`);

async function load(askd: Askd, file: string): Promise<Side> {
  await askd.run('import', file, '--id', MODEL, '--link', '--no-check');
  await stream(askd);
  const { models } = (await askd.run('ps')) as { models: { pid: number }[] };
  return { ...askd, pids: [askd.pid, ...models.map(({ pid }) => pid)] };
}

async function openBare(): Promise<Side & AsyncDisposable> {
  const daemon = fork(fileURLToPath(new URL('bare-daemon.js', import.meta.url)));
  const [{ port, runner }] = (await once(daemon, 'message')) as [{ port: number; runner: number }];
  return {
    ...{ pids: [daemon.pid ?? 0, runner], baseUrl: `http://127.0.0.1:${port}/v1`, key: 'none' },
    async [Symbol.asyncDispose]() {
      const exited = once(daemon, 'exit');
      daemon.kill();
      await exited;
    },
  };
}

async function tokenCost(side: Side): Promise<number> {
  const used = async () => (await Promise.all(side.pids.map(mainThreadMs))).reduce((sum, ms) => sum + ms, 0);
  const from = await used();
  const received = await stream(side);
  return ((await used()) - from) / received;
}

async function stream({ baseUrl, key }: Server): Promise<number> {
  const client = createChatClient({ baseUrl, key, model: MODEL });
  try {
    const request = { prompt: 'Write a long story.', maxTokens: tokens, place: 0 };
    return await client.stream(request, () => undefined, AbortSignal.timeout(DEADLINE_MS));
  } finally {
    client.close();
  }
}

async function mainThreadMs(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}
