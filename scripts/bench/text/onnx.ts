import path from 'node:path';
import { onnx } from '../../../models/engines/onnx.ts';
import type { Session } from '../../../src/runtime/engine.ts';
import { SYNTHETIC_WORDS } from '../../fixtures/synthetic-encoder.ts';
import { writeSyntheticOnnxEmbedder } from '../../fixtures/synthetic-onnx.ts';
import type { Figure } from '../accounts/report.ts';
import { manifestOf } from '../overhead/manifest.ts';
import { median } from '../overhead/timing.ts';
import { CONTEXT_TOKENS, textsOf } from './plan.ts';

/** The depth of bge-base and its like. */
const SHAPE = { words: SYNTHETIC_WORDS, width: 768, layers: 12, heads: 12, feedForward: 3072 };
const [COUNT, TOKENS] = [64, 16];
const MIXED = { from: 4, to: 60 };
/** How much of the best possible gain is expected; that would cost nothing for the tokens that padding adds. */
const SAVED = 0.9;

type Cost = { ms: number; processorMs: number };
type Requests = readonly (readonly string[])[];

/** Texts in one request, which the engine evaluates together, against a request for each, and against padding. */
export async function measureOnnx(
  folder: string,
  { rounds, print }: { rounds: number; print: (text: string) => void },
): Promise<Figure[]> {
  const model = path.join(folder, 'onnx-12');
  await writeSyntheticOnnxEmbedder(model, SHAPE);
  const manifest = { ...(await manifestOf(model, 'embed', CONTEXT_TOKENS)), engine: 'onnx' as const };
  const { signal } = new AbortController();
  await using session = await onnx.load(manifest, { slots: 1, contextTokens: CONTEXT_TOKENS }, signal);
  const costs: Record<Way, Cost>[] = [];
  for (let round = 0; round <= rounds; round++) {
    print(`ONNX: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
    const ways = waysOf();
    const cost = {} as Record<Way, Cost>;
    for (const way of WAYS) cost[way] = await costOf(session, ways[way]);
    if (round > 0) costs.push(cost);
  }
  const one = (way: Way, of: keyof Cost) => median(costs.map((cost) => cost[way][of]));
  const gain = (slow: Way, fast: Way, of: keyof Cost = 'ms') => one(slow, of) / one(fast, of);
  const same = `ONNX, 12 layers, ${COUNT} × ${TOKENS} tokens`;
  const mixed = `ONNX, 12 layers, ${COUNT} texts of ${MIXED.from} to ${MIXED.to} tokens`;
  return [
    { label: `${same}: one request`, unit: '/s', value: (COUNT * 1000) / one('together', 'ms') },
    { label: `${same}: one request / ${COUNT} requests`, unit: 'x', value: gain('alone', 'together') },
    {
      label: `${same}: the same, processor time`,
      unit: 'x',
      value: gain('alone', 'together', 'processorMs'),
    },
    { label: `${mixed}: one request / ${COUNT} requests`, unit: 'x', value: gain('mixedAlone', 'mixed') },
    {
      label: `${mixed}: one request / all as long as the longest`,
      unit: 'x',
      value: gain('padded', 'mixed'),
      goal: { atLeast: (SAVED * MIXED.to * COUNT) / mixedLengths().reduce((sum, each) => sum + each, 0) },
    },
  ];
}

const WAYS = ['together', 'alone', 'mixed', 'mixedAlone', 'padded'] as const;
type Way = (typeof WAYS)[number];

function waysOf(): Record<Way, Requests> {
  const same = textsOf(COUNT, TOKENS);
  const mixed = mixedLengths().flatMap((length) => textsOf(1, length));
  return {
    together: [same],
    alone: same.map((text) => [text]),
    mixed: [mixed],
    mixedAlone: mixed.map((text) => [text]),
    padded: [textsOf(COUNT, MIXED.to)],
  };
}

/** All lengths as often, in no order. */
function mixedLengths(): number[] {
  const lengths = MIXED.to - MIXED.from + 1;
  return Array.from({ length: COUNT }, (_, index) => MIXED.from + ((index * 23) % lengths));
}

async function costOf(session: Session, requests: Requests): Promise<Cost> {
  const { signal } = new AbortController();
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  for (const inputs of requests) {
    let items = 0;
    for await (const event of session.embed?.({ inputs }, signal) ?? [])
      if (event.type === 'item') items += 1;
    if (items !== inputs.length) throw new Error(`${items} of ${inputs.length} vectors came`);
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startedAt, processorMs: (user + system) / 1000 };
}
