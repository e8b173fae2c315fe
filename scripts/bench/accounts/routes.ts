import { Worker } from 'node:worker_threads';
import { Client } from 'undici';
import { startAskd } from '../overhead/askd.ts';
import { median } from '../overhead/timing.ts';
import { percentile, type Figure } from './report.ts';

const PATHS = ['/v1/models', '/v1/rate-limit', '/v1/wallet/balance'];
const CONNECTIONS = 8;

type Plan = { rounds: number; seconds: number };
type Sample = { perSecond: number; p99Ms: number };
type Measure = (path: string, seconds: number) => Promise<Sample>;

/**
 * Each route alternates with a bare one that sends the same bytes: the difference is the cost of key, scope, limits
 * and headers.
 */
export async function measureRoutes({ rounds, seconds }: Plan): Promise<Figure[]> {
  await using askd = await startAskd({});
  const address = new URL(askd.baseUrl);
  const ours = measurer(address.origin, { authorization: `Bearer ${askd.key}` });
  const payloads = await Promise.all(PATHS.map((path) => read(address.origin, path, askd.key)));
  await using bare = await startBare(new Map(PATHS.map((path, index) => [path, payloads[index] ?? ''])));
  const theirs = measurer(bare.origin, {});
  const figures: Figure[] = [];
  for (const path of PATHS) figures.push(...(await compare(path, { ours, theirs, rounds, seconds })));
  return figures;
}

type Comparison = { ours: Measure; theirs: Measure; rounds: number; seconds: number };

async function compare(path: string, { ours, theirs, rounds, seconds }: Comparison): Promise<Figure[]> {
  const pairs: { askd: Sample; bare: Sample }[] = [];
  await ours(path, seconds / 2);
  await theirs(path, seconds / 2);
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`GET ${path}, round ${round + 1} of ${rounds}\n`);
    pairs.push({ bare: await theirs(path, seconds), askd: await ours(path, seconds) });
  }
  const of = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value));
  return [
    {
      label: `GET ${path}, askd / bare route`,
      unit: 'x',
      value: of(({ askd, bare }) => askd.perSecond / bare.perSecond),
      goal: { atLeast: 0.6 },
    },
    { label: `GET ${path}, askd`, unit: '/s', value: of(({ askd }) => askd.perSecond) },
    { label: `GET ${path}, bare route`, unit: '/s', value: of(({ bare }) => bare.perSecond) },
    { label: `GET ${path}, askd, p99`, unit: 'ms', value: of(({ askd }) => askd.p99Ms) },
    { label: `GET ${path}, bare route, p99`, unit: 'ms', value: of(({ bare }) => bare.p99Ms) },
  ];
}

/** Connections that each send the next request as soon as they have an answer. */
function measurer(origin: string, headers: Record<string, string>): Measure {
  return async (path, seconds) => {
    const latencies: number[] = [];
    const until = performance.now() + seconds * 1000;
    const startedAt = performance.now();
    const ask = async () => {
      const client = new Client(origin);
      try {
        while (performance.now() < until) {
          const from = performance.now();
          const { statusCode, body } = await client.request({ path, method: 'GET', headers });
          await body.dump();
          if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`);
          latencies.push(performance.now() - from);
        }
      } finally {
        await client.close();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    return { perSecond: latencies.length / elapsedSeconds, p99Ms: percentile(latencies, 0.99) };
  };
}

async function read(origin: string, path: string, key: string): Promise<string> {
  const client = new Client(origin);
  try {
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await client.request({ path, method: 'GET', headers });
    return await body.text();
  } finally {
    await client.close();
  }
}

/** In a separate thread, so that the server and its client do not take turns. */
async function startBare(payloads: Map<string, string>) {
  const worker = new Worker(new URL('bare-server.js', import.meta.url), { workerData: payloads });
  const origin = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return { origin, [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
}
