import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeSyntheticModel } from '../fixtures/synthetic-model.ts';
import { linesOf, reportText, type Measured } from './chat/report.ts';
import { besideLongPrompt, draftGain, FULL, QUICK, reuseGain, rowsOf, type Beside } from './chat/rows.ts';
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
const size = options.quick ? QUICK : FULL;
const rows = rowsOf(size);
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
    const gain = await reuseGain(askd.ask, { serial: round, turn: size.turn });
    tell(`round ${round + 1}: a second turn, against no reuse: ${gain.toFixed(2)} x`);
    reuse.push(gain);
  }
  const beside: Beside[] = [];
  for (const { name, ask } of options.quick ? [askd] : sides) {
    const seen = await besideLongPrompt(ask, size.beside);
    tell(`a stream beside a long prompt, ${name}: ${seen.gapMs95.toFixed(0)} ms, ${seen.speed.toFixed(2)} x`);
    beside.push(seen);
  }
  const megabytes = await Promise.all(sides.map((side) => side.megabytes()));
  return {
    ...{ size, rows, drafts: await measureDrafts(askd, file) },
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
  for (const [place, row] of rows.entries()) {
    const values = new Array<number>(sides.length).fill(Number.NaN);
    for (let turn = 0; turn < sides.length; turn++) {
      interrupted.signal.throwIfAborted();
      const index = (turn + place + round) % sides.length;
      const side = sides[index];
      if (side) values[index] = await row.measure(side.ask, round * rows.length + place);
    }
    results[row.name] = values;
    const told = values.map((value, index) => `${sides[index]?.name ?? ''} ${value.toFixed(1)} ${row.unit}`);
    tell(`round ${round + 1}: ${row.name}: ${told.join(', ')}`);
  }
  return results;
}

/** The same model twice, one of them guessing ahead. */
async function measureDrafts(askd: Side, file: string): Promise<Measured['drafts']> {
  await using drafting = await openAskd(file, { ASKD_DRAFTING: 'prompt' });
  const asks = { plain: askd.ask, drafting: drafting.ask };
  const wanted = [
    { name: 'guessing ahead, text that repeats itself', streams: 1, repeats: true, atLeast: 1.2 },
    { name: 'guessing ahead, text that does not', streams: 1, repeats: false, atLeast: 0.95 },
    { name: 'guessing ahead, 8 streams that do not', streams: 8, repeats: false, atLeast: 0.95 },
  ];
  const measured = [];
  for (const { name, atLeast, ...kind } of wanted) {
    interrupted.signal.throwIfAborted();
    const gains = [];
    for (let serial = 0; serial < rounds; serial++) gains.push(await draftGain(asks, { ...kind, serial }));
    tell(`${name}: ${gains.map((gain) => `${gain.toFixed(2)} x`).join(', ')}`);
    measured.push({ name, atLeast, gains });
  }
  return measured;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
