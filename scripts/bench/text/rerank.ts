import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { RerankEvent } from '../../../src/api/tasks/rerank.ts';
import { answerOf } from '../../../src/api/http/node-fetch.ts';
import { readMessages } from '../../../src/client/events.ts';
import type { Figure } from '../accounts/report.ts';
import { median } from '../overhead/timing.ts';
import type { startEngine } from './engine-side.ts';
import type { Poster } from './http.ts';
import { prefixOf, textsOf, type Shape } from './plan.ts';
import { warmUp } from './warm-up.ts';

const DOCUMENT_TOKENS = 16;
const QUERY_TOKENS = 8;
const RUNS = 3;
const WARM_DOCUMENTS = 20;
const LOOK_EVERY_MS = 2;
const FREE_MS_MAX = 60_000;

export type RerankSides = {
  model: string;
  poster: Poster;
  engine: Awaited<ReturnType<typeof startEngine>>;
  /** How many of the daemon's requests are running on a model right now. */
  busy: () => Promise<number>;
  /** What the last request was charged for. */
  lastPromptTokens: () => Promise<number>;
};

export async function measureRerank(
  sides: RerankSides,
  { shape, print }: { shape: Shape; print: (text: string) => void },
): Promise<Figure[]> {
  const { documents: count } = shape;
  const question = () => ({
    query: textsOf(1, QUERY_TOKENS)[0] ?? '',
    documents: textsOf(count, DOCUMENT_TOKENS),
  });
  await stream(sides, question());
  const runs: { engineMs: number; daemonMs: number; firstMs: number; pauseMs: number }[] = [];
  for (let run = 1; run <= RUNS; run++) {
    print(`${prefixOf(shape)}rerank: ${run} of ${RUNS}`);
    const { query, documents } = question();
    const few = documents.slice(0, WARM_DOCUMENTS);
    await warmUp(() => sides.engine.rerank(query, few));
    const engineMs = await sides.engine.rerank(query, documents);
    await warmUp(() => stream(sides, { query, documents: few }));
    const { arrivalsMs, totalMs } = await stream(sides, { query, documents });
    runs.push({
      engineMs,
      daemonMs: totalMs,
      firstMs: arrivalsMs[0] ?? Number.NaN,
      pauseMs: Math.max(...arrivalsMs.slice(1).map((ms, before) => ms - (arrivalsMs[before] ?? 0))),
    });
  }
  const of = (value: (run: (typeof runs)[number]) => number) => median(runs.map(value));
  const what = `${prefixOf(shape)}rerank of ${count}`;
  return [
    { label: `${what}, engine in-process`, unit: 'ms', value: of(({ engineMs }) => engineMs) },
    { label: `${what}, daemon, streamed`, unit: 'ms', value: of(({ daemonMs }) => daemonMs) },
    {
      label: `${what}: daemon / engine`,
      unit: 'x',
      value: of(({ engineMs, daemonMs }) => engineMs / daemonMs),
      goal: { atLeast: 0.95 },
    },
    { label: `${what}: first word of progress after`, unit: 'ms', value: of(({ firstMs }) => firstMs) },
    {
      label: `${what}: longest silence between words of progress`,
      unit: 'ms',
      value: of(({ pauseMs }) => pauseMs),
    },
    ...(await measureAbort(sides, question(), prefixOf(shape))),
  ];
}

function messagesOf(response: IncomingMessage) {
  return readMessages({ response: answerOf(response), release: () => undefined, signal: undefined });
}

type Question = { query: string; documents: string[] };

async function stream({ poster, model }: RerankSides, question: Question) {
  const startedAt = performance.now();
  const arrivalsMs: number[] = [];
  const response = await poster.open('/rerank', { model, ...question, stream: true });
  for await (const { data } of messagesOf(response)) {
    if (data === '[DONE]') return { arrivalsMs, totalMs: performance.now() - startedAt };
    const event = JSON.parse(data) as RerankEvent;
    if ('progress' in event) arrivalsMs.push(performance.now() - startedAt);
  }
  throw new Error('The answer broke off');
}

/** Disconnects in the middle, and measures when the daemon is done with the request and what it charged for. */
async function measureAbort(sides: RerankSides, question: Question, prefix: string): Promise<Figure[]> {
  const whole = sides.lastPromptTokens();
  const perDocument = (await whole) / question.documents.length;
  const times: number[] = [];
  const beyond: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const { scored, leftAt } = await leaveHalfway(sides, question);
    await untilFree(sides);
    times.push(performance.now() - leftAt);
    beyond.push((await sides.lastPromptTokens()) / perDocument - scored);
  }
  return [
    { label: `${prefix}an abort: from leaving until the model is free`, unit: 'ms', value: median(times) },
    {
      label: `${prefix}an abort: time of one document, for comparison`,
      unit: 'ms',
      value: await timeOne(sides, question),
    },
    {
      label: `${prefix}an abort: documents charged beyond the last word of progress`,
      unit: 'n',
      value: median(beyond),
    },
  ];
}

/** Polls with pauses: polling without them would take the cores from the model that it waits for. */
async function untilFree({ busy }: RerankSides): Promise<void> {
  for (const until = performance.now() + FREE_MS_MAX; (await busy()) > 0; await wait(LOOK_EVERY_MS)) {
    if (performance.now() > until) throw new Error('The model went on with what nobody waits for');
  }
}

async function leaveHalfway({ poster, model }: RerankSides, question: Question) {
  const abort = new AbortController();
  const response = await poster.open('/rerank', { model, ...question, stream: true }, abort.signal);
  for await (const { data } of messagesOf(response)) {
    const event = JSON.parse(data) as RerankEvent;
    if (!('progress' in event) || event.progress.scored < question.documents.length / 2) continue;
    abort.abort();
    return { scored: event.progress.scored, leftAt: performance.now() };
  }
  throw new Error('The answer came before it could be left');
}

async function timeOne({ engine }: RerankSides, { query, documents }: Question): Promise<number> {
  const times: number[] = [];
  for (const document of documents.slice(0, 20)) times.push(await engine.rerank(query, [document]));
  return median(times);
}
