import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeSyntheticModel } from '../../src/gguf/synthetic-model.ts';
import { openBurstModel, type Burst } from './chat/burst-scheduler.ts';
import { median } from './overhead/timing.ts';

const ROUNDS = 5;
const COUNTS = [8, 20];
const FULL = { promptTokens: 200, answerTokens: 16 };
const QUICK = { promptTokens: 72, answerTokens: 8 };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const rounds = Number(options.rounds ?? ROUNDS);
const size = options.quick ? QUICK : FULL;

/** Requests of a burst wait for each other, or are decoded as soon as their own prompt is prefilled. */
const RULES = { waiting: {}, 'at once': { burstMs: 0 } } as const;
type Pair = Record<keyof typeof RULES, Burst>;

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-burst-'));
try {
  const file = path.join(folder, 'synthetic.gguf');
  await writeSyntheticModel(file);
  const lines = await measure(file);
  console.log(options.json ? JSON.stringify(lines, null, 2) : lines.map(textOf).join('\n'));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(file: string) {
  await using model = await openBurstModel(file, availableParallelism());
  const lines = [];
  for (const count of COUNTS) {
    const pairs: Pair[] = [];
    for (let round = 0; round < rounds; round++) {
      const clients = Array.from({ length: count }, (_, place) => ({ ...size, place }));
      const pair = {} as Pair;
      const names = Object.keys(RULES) as (keyof Pair)[];
      for (const name of round % 2 === 0 ? names : names.toReversed())
        pair[name] = await model.run(clients, RULES[name]);
      pairs.push(pair);
      const shown = names.map((name) => `${name} ${pair[name].wholeMs.toFixed(0)} ms`).join(', ');
      process.stderr.write(`round ${round + 1}: ${count} clients: ${shown}\n`);
    }
    lines.push(lineOf(count, pairs));
  }
  return lines;
}

/** Ratios are computed within a round, in which both rules had the same machine. */
function lineOf(count: number, pairs: readonly Pair[]) {
  const ratios = pairs.map((pair) => pair['at once'].wholeMs / pair.waiting.wholeMs);
  const first = (rule: keyof Pair) => median(pairs.map((pair) => pair[rule].firstTokenMs));
  return {
    row: `${count} clients at once, the whole, times as fast as without waiting`,
    seen: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    firstTokenMs: { waiting: first('waiting'), atOnce: first('at once') },
  };
}

function textOf({ row, seen, spread, firstTokenMs }: ReturnType<typeof lineOf>): string {
  const [least = 0, most = 0] = spread;
  const { waiting, atOnce } = firstTokenMs;
  return (
    `${row}: ${seen.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}); ` +
    `first token after ${waiting.toFixed(0)} ms, without waiting ${atOnce.toFixed(0)} ms`
  );
}
