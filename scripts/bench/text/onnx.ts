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

type Cost = { ms: number; processorMs: number };

/** Texts of one length in one request, which the engine evaluates together, against a request for each. */
export async function measureOnnx(
  folder: string,
  { rounds, print }: { rounds: number; print: (text: string) => void },
): Promise<Figure[]> {
  const model = path.join(folder, 'onnx-12');
  await writeSyntheticOnnxEmbedder(model, SHAPE);
  const manifest = { ...(await manifestOf(model, 'embed', CONTEXT_TOKENS)), engine: 'onnx' as const };
  const { signal } = new AbortController();
  await using session = await onnx.load(manifest, { slots: 1, contextTokens: CONTEXT_TOKENS }, signal);
  const together: Cost[] = [];
  const alone: Cost[] = [];
  for (let round = 0; round <= rounds; round++) {
    print(`ONNX, ${COUNT} × ${TOKENS} tokens: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
    const texts = textsOf(COUNT, TOKENS);
    const costs = [
      await costOf(session, [texts]),
      await costOf(
        session,
        texts.map((text) => [text]),
      ),
    ] as const;
    if (round === 0) continue;
    together.push(costs[0]);
    alone.push(costs[1]);
  }
  const label = `ONNX, 12 layers, ${COUNT} × ${TOKENS} tokens`;
  const gain = (of: (cost: Cost) => number) => median(alone.map(of)) / median(together.map(of));
  return [
    {
      label: `${label}: one request`,
      unit: '/s',
      value: (COUNT * 1000) / median(together.map(({ ms }) => ms)),
    },
    { label: `${label}: one request / ${COUNT} requests`, unit: 'x', value: gain(({ ms }) => ms) },
    { label: `${label}: the same, processor time`, unit: 'x', value: gain(({ processorMs }) => processorMs) },
  ];
}

async function costOf(session: Session, requests: readonly (readonly string[])[]): Promise<Cost> {
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
