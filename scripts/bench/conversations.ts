import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeSyntheticModel } from '../../src/gguf/synthetic-model.ts';
import { openAskd, openLlamaServer, type Side } from './chat/sides.ts';
import {
  beginConversations,
  FULL,
  helpersOf,
  QUICK,
  strangersOf,
  type Conversations,
} from './chat/conversations/turns.ts';
import { gapBeside } from './chat/conversations/gaps.ts';
import { linesOf, reportText, type Round } from './chat/conversations/report.ts';

const ROUNDS = 5;
const SLOTS = 4;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const size = options.quick ? QUICK : FULL;
const rounds = Number(options.rounds ?? ROUNDS);
const peer = process.env['LLAMA_SERVER_BIN'];
const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-conversations-'));
// An interrupted run still stops what it started: the next step throws.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort(new Error(`Interrupted by ${signal}`)));
}
try {
  const file = path.join(folder, 'synthetic.gguf');
  await writeSyntheticModel(file);
  const measured = await measure(file);
  const load = loadavg()[0] ?? 0;
  console.log(
    options.json ? JSON.stringify({ measured, lines: linesOf(measured), load }) : reportText(measured),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Every side keeps its conversations from round to round, and the sides take turns. */
async function measure(file: string): Promise<Round[]> {
  const contextTokens = size.system + size.own + rounds * size.turn + 256;
  const env = { ASKD_MODEL_SLOTS: String(SLOTS), ASKD_MODEL_CONTEXT_TOKENS: String(contextTokens) };
  print(peer ? `starting askd twice, and ${peer}` : 'starting askd twice: LLAMA_SERVER_BIN names no peer');
  await using cached = await openAskd(file, { env });
  await using plain = await openAskd(file, { env: { ...env, ASKD_PROMPT_CACHE_BYTES: '0' } });
  await using other = peer ? await openLlamaServer(peer, file, { slots: SLOTS, contextTokens }) : undefined;
  const sides = { cached, plain, ...(other && { peer: other }) };
  const measured: Round[] = [];
  for (const kind of [strangersOf(size), helpersOf(size)]) {
    const begun = await eachSide(sides, (side) => beginConversations(side.ask, kind));
    for (let round = 0; round < rounds; round++) {
      const ms = await eachSide(sides, (_, name) => (begun[name] as Conversations).nextTurn(), round);
      print(`round ${round + 1}: ${kind.name}: ${showMs(ms)}`);
      measured.push({ row: kind.name, ms });
    }
  }
  for (let round = 0; round < rounds; round++) {
    const ms = await eachSide(
      sides,
      (side) => gapBeside(side.ask, { tokens: size.own, serial: round }),
      round,
    );
    print(`round ${round + 1}: longest gap of a stream beside turns: ${showMs(ms)}`);
    measured.push({ row: 'gap', ms });
  }
  return measured;
}

/** One after another, and each round starts with a different one. */
async function eachSide<Result>(
  sides: Record<string, Side>,
  run: (side: Side, name: string) => Promise<Result>,
  round = 0,
): Promise<Record<string, Result>> {
  const names = Object.keys(sides);
  const results: Record<string, Result> = {};
  for (let turn = 0; turn < names.length; turn++) {
    interrupted.signal.throwIfAborted();
    const name = names[(turn + round) % names.length] ?? '';
    results[name] = await run(sides[name] as Side, name);
  }
  return results;
}

function showMs(ms: Record<string, number>): string {
  return Object.entries(ms)
    .map(([name, value]) => `${name} ${value.toFixed(0)} ms`)
    .join(', ');
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
