import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeSyntheticModel } from '../fixtures/synthetic-model.ts';
import { linesOf, reportText, type Measured } from './chat/report.ts';
import { besideLongPrompt, reuseGain, ROWS, type Beside } from './chat/rows.ts';
import { openAskd, openLlamaServer, type Side } from './chat/sides.ts';

const ROUNDS = 3;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const peer = process.env['LLAMA_SERVER_BIN'];
const rounds = Number(options.rounds ?? (options.quick ? 1 : ROUNDS));
const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-chat-'));
// An interrupted run still stops what it started: the next step throws.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`Interrupted by ${signal}`)));
}
try {
  tell('writing the synthetic model');
  const file = path.join(folder, 'synthetic.gguf');
  await writeSyntheticModel(file);
  const measured = await measure(file);
  console.log(
    options.json ? JSON.stringify({ ...measured, lines: linesOf(measured) }, null, 2) : reportText(measured),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(file: string): Promise<Measured> {
  const before = loadavg()[0] ?? 0;
  tell(peer ? `starting askd and ${peer}` : 'starting askd alone: LLAMA_SERVER_BIN names no peer');
  await using askd = await openAskd(file);
  await using other = peer ? await openLlamaServer(peer, file) : undefined;
  const sides = other ? [askd, other] : [askd];
  const results: Record<string, number[]>[] = [];
  const reuse: number[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await measureRound(sides, round));
    tell(`round ${round + 1}: reuse`);
    reuse.push(await reuseGain(askd.ask, round));
  }
  tell('a stream beside a long prompt');
  const beside: Beside[] = [];
  for (const side of sides) beside.push(await besideLongPrompt(side.ask, 0));
  const megabytes = await Promise.all(sides.map((side) => side.megabytes()));
  return {
    sides: sides.map(({ name, threads }, place) => ({
      name,
      threads,
      megabytes: megabytes[place] ?? Number.NaN,
      beside: beside.slice(place, place + 1),
    })),
    rounds: results,
    reuse,
    load: [before, loadavg()[0] ?? 0],
  };
}

/** The sides take turns in each row, and each row begins with another one, so that what else the machine does falls on both. */
async function measureRound(sides: readonly Side[], round: number): Promise<Record<string, number[]>> {
  const results: Record<string, number[]> = {};
  for (const [place, row] of ROWS.entries()) {
    tell(`round ${round + 1}: ${row.name}`);
    const values = new Array<number>(sides.length).fill(Number.NaN);
    for (let turn = 0; turn < sides.length; turn++) {
      interrupted.signal.throwIfAborted();
      const index = (turn + place + round) % sides.length;
      const side = sides[index];
      if (side) values[index] = await row.measure(side.ask, round * ROWS.length + place);
    }
    results[row.name] = values;
  }
  return results;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
