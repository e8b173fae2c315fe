import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { readEnvironment } from '../../../src/config/environment.ts';
import { writeSyntheticModel } from '../../../src/gguf/synthetic-model.ts';
import { runnerEnvironment } from '../../../src/runtime/runner-environment.ts';
import { openBurstModel } from './burst-scheduler.ts';
import { median } from '../overhead/timing.ts';

const LIMIT_MS = { 1: 0.5, 8: 1 } as const;
const RULES = { queue: { isQueued: true }, askd: {} } as const;
type Pair = Record<keyof typeof RULES, number>;

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = options.quick ? 2 : 7;
const answerTokens = options.quick ? 32 : 96;

// As in a runner, whose pool has one thread.
if (readEnvironment().poolThreads === 1) await report();
else {
  const { exitCode } = await execa(
    process.execPath,
    [fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    { env: runnerEnvironment('llama'), stdio: 'inherit', reject: false },
  );
  process.exitCode = exitCode;
}

async function report(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-decodes-'));
  const [loadBefore = 0] = loadavg();
  try {
    const file = path.join(folder, 'synthetic.gguf');
    await writeSyntheticModel(file);
    await using model = await openBurstModel(file, availableParallelism());
    for (const streams of [1, 8] as const) {
      const clients = Array.from({ length: streams }, (_, place) => ({
        promptTokens: 16,
        answerTokens,
        place,
      }));
      await model.run(clients, {});
      const pairs: Pair[] = [];
      for (let round = 0; round < rounds; round++) {
        const pair = {} as Pair;
        const names = Object.keys(RULES) as (keyof Pair)[];
        for (const name of round % 2 === 0 ? names : names.toReversed())
          pair[name] = (await model.run(clients, RULES[name])).betweenMs;
        pairs.push(pair);
      }
      console.log(lineOf(streams, pairs));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(
    `Medians of ${rounds} rounds. Load ${loadBefore.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  );
}

function lineOf(streams: keyof typeof LIMIT_MS, pairs: readonly Pair[]): string {
  const askd = median(pairs.map((pair) => pair.askd));
  const queue = median(pairs.map((pair) => pair.queue));
  const ratio = median(pairs.map((pair) => pair.askd / pair.queue));
  const limit = LIMIT_MS[streams];
  const verdict = askd <= limit ? 'PASS' : 'short';
  return (
    `between two decodes, ${streams} ${streams === 1 ? 'stream' : 'streams'}: askd ${askd.toFixed(2)} ms, ` +
    `node-llama-cpp's queue ${queue.toFixed(2)} ms (${ratio.toFixed(2)} x), limit ${limit} ms: ${verdict}`
  );
}
