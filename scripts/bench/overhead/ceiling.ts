import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile, reportLines, type Figure } from '../accounts/report.ts';
import { idleMemoryMegabytes, processorMs, startAskd, type Askd } from './askd.ts';
import { startClient, startPeer, type Client } from './ceiling-sides.ts';
import { median } from './timing.ts';

/** What one daemon passes on when its model costs nothing: the answers come from a script. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const plan = options.quick
  ? { rounds: 3, words: 500, completions: 1_000, idle: 200 }
  : { rounds: 5, words: 2_000, completions: 4_000, idle: 1_000 };
const STREAMS = 64;
const HEALTH_MS_MAX = 10;
const HEALTH_EVERY_MS = 20;
const IDLE_KB_MAX = 60;

const figures: Figure[] = [];
const began = loadavg()[0] ?? 0;
const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-ceiling-'));
try {
  const script = path.join(folder, 'answers.json');
  await writeFile(script, JSON.stringify({ rules: rules() }));
  await using askd = await startAskd({
    ...{ ASKD_SCRIPTED_ANSWERS: script, ASKD_MODEL_SLOTS: `${STREAMS}` },
    ASKD_MODEL_QUEUE_MAX: `${plan.idle}`,
  });
  const { key } = (await askd.run('keys', 'create', '--name', 'idle', '--test')) as { key: string };
  await using client = startClient(askd.baseUrl, askd.key);
  await using idle = startClient(askd.baseUrl, key);
  await using peer = await startPeer(plan.words);
  await using bare = startClient(peer.baseUrl, 'none');
  const health = watchHealth(new URL('/healthz', askd.baseUrl).href);
  await client.completions(STREAMS, STREAMS);
  await idleStreams(askd, idle);
  await compare(askd, 'tokens a second of 64 streams', {
    ...{ goal: 20_000, each: 'token', count: STREAMS * plan.words },
    ours: () => client.streams(STREAMS, 'long'),
    theirs: () => bare.streams(STREAMS, 'long'),
  });
  await compare(askd, 'short completions a second', {
    ...{ goal: 1_500, each: 'completion', count: plan.completions },
    ours: () => client.completions(plan.completions, STREAMS),
    theirs: () => bare.completions(plan.completions, STREAMS),
  });
  const waits = await health.stop();
  add({
    label: `p99 of /healthz during all of it, ${waits.length} requests`,
    unit: 'ms',
    value: percentile(waits, 0.99),
    goal: { atMost: HEALTH_MS_MAX },
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
const load = `${availableParallelism()} cores, load ${began.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`;
console.log(options.json ? JSON.stringify({ plan, figures, load }, null, 2) : load);

/** Printed as it comes. */
function add(figure: Figure): void {
  figures.push(figure);
  if (!options.json) console.log(reportLines([figure]).join('\n'));
}

function rules(): object[] {
  const text = Array.from({ length: plan.words }, (_, index) => `word${index % 10}`).join(' ');
  return [{ when: { message: 'long' }, answer: { text } }, { answer: { text: 'This is a short answer.' } }];
}

type Sides = {
  goal: number;
  each: string;
  /** How many there are in a run. */
  count: number;
  ours: () => Promise<number>;
  theirs: () => Promise<number>;
};

async function compare(
  { pid }: Askd,
  label: string,
  { goal, each, count, ours, theirs }: Sides,
): Promise<void> {
  await theirs();
  await ours();
  const before = await processorMs(pid);
  const pairs: { askd: number; bare: number }[] = [];
  for (let round = 0; round < plan.rounds; round++) pairs.push({ bare: await theirs(), askd: await ours() });
  const usedMs = (await processorMs(pid)) - before;
  const values = pairs.map(({ askd }) => askd);
  const ratios = pairs.map(({ askd, bare }) => askd / bare);
  const spread = (of: readonly number[], digits: number) =>
    `${Math.min(...of).toFixed(digits)} to ${Math.max(...of).toFixed(digits)}`;
  add({
    label: `${label} (${spread(values, 0)})`,
    unit: '/s',
    value: median(values),
    goal: { atLeast: goal },
  });
  add({ label: `the same, askd / bare route (${spread(ratios, 2)})`, unit: 'x', value: median(ratios) });
  add({
    label: `processor time of the daemon, a ${each}`,
    unit: 'ms',
    value: usedMs / (plan.rounds * count),
  });
}

/** As many as there are slots have had a word and wait for the next; the others wait for their turn. */
async function idleStreams(askd: Askd, client: Client): Promise<void> {
  const before = await idleMemoryMegabytes(askd.pid);
  const end = await client.hold(plan.idle);
  const after = await idleMemoryMegabytes(askd.pid);
  await end();
  if (before === undefined || after === undefined) return;
  const value = ((after - before) * 1000) / plan.idle;
  add({
    label: `memory of each of ${plan.idle} idle streams, KB`,
    unit: 'n',
    value,
    goal: { atMost: IDLE_KB_MAX },
  });
}

/** One request after the other, as a monitor sends them. */
function watchHealth(url: string) {
  const waits: number[] = [];
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const from = performance.now();
      await (await fetch(url)).arrayBuffer();
      waits.push(performance.now() - from);
      await sleep(HEALTH_EVERY_MS);
    }
  };
  const watching = watch();
  return {
    async stop() {
      isOver = true;
      await watching;
      return waits;
    },
  };
}
