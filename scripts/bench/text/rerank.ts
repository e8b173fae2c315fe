import type { RerankEvent } from '../../../src/api/rerank.ts';
import { readEventData } from '../../../cli/sse.ts';
import type { Figure } from '../accounts/report.ts';
import { median } from '../overhead/timing.ts';
import type { startEngine } from './engine-side.ts';
import type { Poster } from './http.ts';
import { textsOf, type Plan } from './plan.ts';

const DOCUMENT_TOKENS = 16;
const QUERY_TOKENS = 8;
const RUNS = 3;

export type RerankSides = {
  model: string;
  poster: Poster;
  engine: Awaited<ReturnType<typeof startEngine>>;
  /** How many of the daemon's requests run on a model right now. */
  busy: () => Promise<number>;
  /** What the last request was charged for. */
  lastPromptTokens: () => Promise<number>;
};

export async function measureRerank(
  sides: RerankSides,
  { documents: count }: Plan,
  tell: (text: string) => void,
): Promise<Figure[]> {
  const question = () => ({
    query: textsOf(1, QUERY_TOKENS)[0] ?? '',
    documents: textsOf(count, DOCUMENT_TOKENS),
  });
  await stream(sides, question());
  const runs: { engineMs: number; daemonMs: number; firstMs: number; events: number }[] = [];
  for (let run = 1; run <= RUNS; run++) {
    tell(`rerank: ${run} of ${RUNS}`);
    const { query, documents } = question();
    const engineMs = await sides.engine.rerank(query, documents);
    const { arrivalsMs, totalMs } = await stream(sides, { query, documents });
    runs.push({
      engineMs,
      daemonMs: totalMs,
      firstMs: arrivalsMs[0] ?? Number.NaN,
      events: arrivalsMs.length,
    });
  }
  const of = (value: (run: (typeof runs)[number]) => number) => median(runs.map(value));
  const what = `rerank of ${count}`;
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
      label: `${what}: words of progress, each again after`,
      unit: 'ms',
      value: of((run) => run.daemonMs / run.events),
    },
    ...(await measureAbort(sides, question())),
  ];
}

type Question = { query: string; documents: string[] };

async function stream({ poster, model }: RerankSides, question: Question) {
  const startedAt = performance.now();
  const arrivalsMs: number[] = [];
  const response = await poster.open('/rerank', { model, ...question, stream: true });
  for await (const data of readEventData(response)) {
    if (data === '[DONE]') return { arrivalsMs, totalMs: performance.now() - startedAt };
    const event = JSON.parse(data) as RerankEvent;
    if ('progress' in event) arrivalsMs.push(performance.now() - startedAt);
  }
  throw new Error('The answer broke off');
}

/** Leaves in the middle, and looks when the daemon is done with it and what it was charged for. */
async function measureAbort(sides: RerankSides, question: Question): Promise<Figure[]> {
  const whole = sides.lastPromptTokens();
  const perDocument = (await whole) / question.documents.length;
  const times: number[] = [];
  const beyond: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const { scored, leftAt } = await leaveHalfway(sides, question);
    while ((await sides.busy()) > 0);
    times.push(performance.now() - leftAt);
    beyond.push((await sides.lastPromptTokens()) / perDocument - scored);
  }
  return [
    { label: 'an abort: from leaving until the model is free', unit: 'ms', value: median(times) },
    {
      label: 'an abort: time of one document, for comparison',
      unit: 'ms',
      value: await timeOne(sides, question),
    },
    {
      label: 'an abort: documents charged beyond the last word of progress',
      unit: 'n',
      value: median(beyond),
    },
  ];
}

async function leaveHalfway({ poster, model }: RerankSides, question: Question) {
  const abort = new AbortController();
  const response = await poster.open('/rerank', { model, ...question, stream: true }, abort.signal);
  for await (const data of readEventData(response)) {
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
