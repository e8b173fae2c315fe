import { writeEmbeddings } from '../../../daemon/routes/tasks/embeddings.ts';
import { SYNTHETIC_WIDTH } from '../../fixtures/synthetic-encoder.ts';
import type { Figure } from '../accounts/report.ts';
import { median } from '../overhead/timing.ts';

const VECTORS = 100;
const RUNS = 21;
const COST = { total_usd: 0.000002, price_per_million_tokens: 0.02 };

/** The cost of serializing an answer with a hundred vectors in the daemon's own code, without a model. */
export async function measureFormats(): Promise<Figure[]> {
  const vector = () => Float32Array.from({ length: SYNTHETIC_WIDTH }, () => Math.random() / 16 - 1 / 32);
  const embeddings = { vectors: Array.from({ length: VECTORS }, vector), promptTokens: VECTORS };
  const times: Record<'base64' | 'float', number[]> = { base64: [], float: [] };
  const bytes = { base64: 0, float: 0 };
  for (let run = 0; run < RUNS; run++) {
    for (const encoding_format of ['base64', 'float'] as const) {
      const startedAt = performance.now();
      const { text } = await writeEmbeddings({ model: 'm', input: 'a', encoding_format }, embeddings, COST);
      times[encoding_format].push(performance.now() - startedAt);
      bytes[encoding_format] = text.length;
    }
  }
  const [base64, float] = [median(times.base64), median(times.float)];
  return [
    { label: `${VECTORS} × ${SYNTHETIC_WIDTH} as base64`, unit: 'ms', value: base64 },
    { label: `${VECTORS} × ${SYNTHETIC_WIDTH} as numbers`, unit: 'ms', value: float },
    { label: 'time of numbers / base64', unit: 'x', value: float / base64 },
    { label: 'bytes of numbers / base64', unit: 'x', value: bytes.float / bytes.base64 },
  ];
}
