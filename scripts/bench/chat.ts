import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeSyntheticModel } from '../../src/gguf/synthetic-model.ts';
import { linesOf, reportText, type Measured } from './chat/report.ts';
import { draftsByAModel, draftsFromTheText, type DraftRow } from './chat/drafts.ts';
import { besideLongPrompt, FULL, QUICK, reuseGain, rowsOf, type Beside } from './chat/rows.ts';
import { openAskd, openLlamaServer, type Side } from './chat/sides.ts';

const ROUNDS = 5;
/** llama-server's threads keep spinning for a while after a token; the next side to be measured needs the cores. */
const SETTLE_MS = 1000;
const PARTS = ['peer', 'reuse', 'beside', 'text-drafts', 'model-drafts'] as const;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
});
checkParts();
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
  print('writing the synthetic model');
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
  print(peer ? `starting askd and ${peer}` : 'starting askd alone: LLAMA_SERVER_BIN names no peer');
  await using askd = await openAskd(file);
  await using other = peer ? await openLlamaServer(peer, file) : undefined;
  const sides = other ? [askd, other] : [askd];
  const results: Record<string, number[]>[] = [];
  const reuse: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (isWanted('peer')) results.push(await measureRound(sides, round));
    if (!isWanted('reuse')) continue;
    interrupted.signal.throwIfAborted();
    const gain = await reuseGain(askd.ask, { serial: round, turn: size.turn });
    print(`round ${round + 1}: a second turn, against no reuse: ${gain.toFixed(2)} x`);
    reuse.push(gain);
  }
  const megabytes = await Promise.all(sides.map((side) => side.megabytes()));
  const beside = isWanted('beside') ? await measureBeside(sides) : [];
  return {
    ...{ size, rows, roundCount: rounds, drafts: await measureDrafts(askd, file) },
    sides: sides.map(({ name, threads }, place) => ({
      name,
      threads,
      megabytes: megabytes[place] ?? Number.NaN,
      beside: beside[place] ?? [],
    })),
    rounds: results,
    reuse,
    load: [before, loadavg()[0] ?? 0],
  };
}

/** What each side scores, in columns like the rest. */
async function measureBeside(sides: readonly Side[]): Promise<Beside[][]> {
  const seen: Beside[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [place, { name, ask }] of sides.entries()) {
      interrupted.signal.throwIfAborted();
      const one = await besideLongPrompt(ask, { tokens: size.beside, serial: round });
      seen[place]?.push(one);
      print(
        `a stream beside a long prompt, ${name}: ${one.gapMs95.toFixed(0)} ms, ${one.speed.toFixed(2)} x`,
      );
    }
  }
  return seen;
}

/**
 * The sides take turns in each row, and each row starts with a different one, so that other load on the machine
 * affects both.
 */
async function measureRound(sides: readonly Side[], round: number): Promise<Record<string, number[]>> {
  const results: Record<string, number[]> = {};
  for (const [place, row] of rows.entries()) {
    const values = new Array<number>(sides.length).fill(Number.NaN);
    for (let turn = 0; turn < sides.length; turn++) {
      await sleep(SETTLE_MS, undefined, { signal: interrupted.signal });
      const index = (turn + place + round) % sides.length;
      const side = sides[index];
      if (side) values[index] = await row.measure(side.ask, round * rows.length + place);
    }
    results[row.name] = values;
    const figures = values.map(
      (value, index) => `${sides[index]?.name ?? ''} ${value.toFixed(1)} ${row.unit}`,
    );
    print(`round ${round + 1}: ${row.name}: ${figures.join(', ')}`);
  }
  return results;
}

async function measureDrafts(askd: Side, file: string): Promise<DraftRow[]> {
  const bench = { folder, rounds, check: () => interrupted.signal.throwIfAborted() };
  const parts = [
    ...(isWanted('text-drafts') ? [draftsFromTheText(askd.ask, file, bench)] : []),
    ...(isWanted('model-drafts') ? [draftsByAModel(bench)] : []),
  ];
  const measured: DraftRow[] = [];
  for (const part of parts) {
    for await (const row of part) {
      const gains = row.gains.map((gain) => `${gain.toFixed(2)} x`).join(', ');
      const right = Number.isNaN(row.right)
        ? 'nothing was guessed'
        : `${(100 * row.right).toFixed(0)} % of the guesses were right`;
      print(`${row.name}: ${gains}; ${right}`);
      measured.push(row);
    }
  }
  return measured;
}

function isWanted(part: (typeof PARTS)[number]): boolean {
  return options.only === undefined || options.only.split(',').includes(part);
}

function checkParts(): void {
  const unknown = options.only?.split(',').find((part) => !PARTS.includes(part as (typeof PARTS)[number]));
  if (unknown === undefined) return;
  throw new Error(`There is no part "${unknown}". The parts are ${PARTS.join(', ')}.`);
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
