import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';
import { writeSyntheticModel } from '../../../src/gguf/synthetic-model.ts';
import { startAskd, type Askd } from '../overhead/askd.ts';
import { createChatClient } from '../overhead/chat-client.ts';
import { median, timeBatch } from '../overhead/timing.ts';

const MODEL = 'synthetic';
const FULL = { rounds: 7, chatTokens: 64, lineTokens: 48 };
const QUICK = { rounds: 5, chatTokens: 24, lineTokens: 24 };
/** More than a round can do. */
const LINES = 2_000;
const LOAD_DEADLINE_MS = 120_000;
const POLL_MS = 50;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const plan = options.quick ? QUICK : FULL;
const rounds = Number(options.rounds ?? plan.rounds);

type Chat = { wholeMs: number; firstTokenMs: number; tokensPerSecond: number };
type Pair = { alone: Chat; beside: Chat; linesBetween: number };

/** No two start alike, so that none has a part of its prompt in the cache. */
let chats = 0;

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-batches-'));
try {
  const file = path.join(folder, 'synthetic.gguf');
  await writeSyntheticModel(file);
  const result = resultOf(await measure(file));
  console.log(options.json ? JSON.stringify(result, null, 2) : textOf(result));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(file: string): Promise<Pair[]> {
  await using askd = await startAskd({ ASKD_MODEL_CONTEXT_TOKENS: '2048' });
  await askd.run('import', file, '--id', MODEL, '--link', '--no-check');
  const openai = new OpenAI({ baseURL: askd.baseUrl, apiKey: askd.key, maxRetries: 0 });
  await chat(askd, 2);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    const pair = round % 2 === 0 ? await aloneFirst(askd, openai) : await besideFirst(askd, openai);
    pairs.push(pair);
    const shown = `${pair.alone.wholeMs.toFixed(0)} ms alone, ${pair.beside.wholeMs.toFixed(0)} ms beside`;
    process.stderr.write(`round ${round + 1}: ${shown}, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
  }
  return pairs;
}

async function aloneFirst(askd: Askd, openai: OpenAI): Promise<Pair> {
  const alone = await chat(askd, plan.chatTokens);
  return { alone, ...(await besideBatch(askd, openai)) };
}

async function besideFirst(askd: Askd, openai: OpenAI): Promise<Pair> {
  const beside = await besideBatch(askd, openai);
  return { ...beside, alone: await chat(askd, plan.chatTokens) };
}

/** The chat arrives unannounced, while lines are running. */
async function besideBatch(askd: Askd, openai: OpenAI): Promise<Omit<Pair, 'alone'>> {
  const { id } = await createBatch(openai);
  try {
    const before = await doneOf(openai, id, 1);
    const beside = await chat(askd, plan.chatTokens);
    const after = await doneOf(openai, id, before + 1);
    return { beside, linesBetween: after - before };
  } finally {
    await openai.batches.cancel(id);
    while ((await openai.batches.retrieve(id)).status !== 'cancelled') await sleep(POLL_MS);
  }
}

async function createBatch(openai: OpenAI): Promise<OpenAI.Batch> {
  const lines = Array.from({ length: LINES }, (_, place) =>
    JSON.stringify({
      ...{ custom_id: String(place), method: 'POST', url: '/v1/chat/completions' },
      body: {
        ...{ model: MODEL, max_tokens: plan.lineTokens, temperature: 0 },
        messages: [{ role: 'user', content: `Line ${place} of a batch.` }],
      },
    }),
  );
  const file = await openai.files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'in.jsonl'),
    purpose: 'batch',
  });
  return openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
}

/** Waits until at least this many lines have an answer. */
async function doneOf(openai: OpenAI, id: string, least: number): Promise<number> {
  for (;;) {
    const { status, request_counts: counts } = await openai.batches.retrieve(id);
    if (status === 'failed' || (counts?.failed ?? 0) > 0) throw new Error(`The batch ${id} has failures.`);
    if ((counts?.completed ?? 0) >= least) return counts?.completed ?? 0;
    await sleep(POLL_MS);
  }
}

async function chat({ baseUrl, key }: Askd, maxTokens: number): Promise<Chat> {
  const { stream, close } = createChatClient({ baseUrl, key, model: MODEL });
  try {
    const startedAt = performance.now();
    const [timing] = await timeBatch(
      stream,
      [`${++chats} is the number of lighthouses in my story. Tell it.`],
      {
        maxTokens,
        deadlineMs: LOAD_DEADLINE_MS,
      },
    );
    const wholeMs = performance.now() - startedAt;
    const { arrivalsMs = [], tokens = 0 } = timing ?? {};
    const [firstTokenMs = NaN] = arrivalsMs;
    const decodeMs = (arrivalsMs.at(-1) ?? NaN) - firstTokenMs;
    return { wholeMs, firstTokenMs, tokensPerSecond: (1000 * (tokens - 1)) / decodeMs };
  } finally {
    close();
  }
}

/** Ratios are computed within a round, in which both had the same machine. */
function resultOf(pairs: readonly Pair[]) {
  const ratio = (of: (pair: Pair) => number) => {
    const ratios = pairs.map(of);
    return { median: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] as const };
  };
  return {
    rounds: pairs.length,
    whole: ratio(({ alone, beside }) => alone.wholeMs / beside.wholeMs),
    tokensPerSecond: ratio(({ alone, beside }) => beside.tokensPerSecond / alone.tokensPerSecond),
    firstTokenMs: {
      alone: median(pairs.map(({ alone }) => alone.firstTokenMs)),
      beside: median(pairs.map(({ beside }) => beside.firstTokenMs)),
    },
    load: loadavg()[0] ?? 0,
  };
}

function textOf({ rounds, whole, tokensPerSecond, firstTokenMs, load }: ReturnType<typeof resultOf>): string {
  const shown = ({ median, spread: [least, most] }: typeof whole) =>
    `${median.toFixed(3)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  return [
    `A chat beside a batch, of its speed alone, ${rounds} rounds, load ${load.toFixed(1)}:`,
    `  whole answers      ${shown(whole)}`,
    `  tokens a second    ${shown(tokensPerSecond)}`,
    `  first token        ${firstTokenMs.beside.toFixed(0)} ms, alone ${firstTokenMs.alone.toFixed(0)} ms`,
  ].join('\n');
}
