import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { NOWHERE } from '../../src/runtime/devices/device.ts';
import { NO_BYTES } from '../../src/runtime/memory.ts';
import { createPool } from '../../src/runtime/pool.ts';
import { asRunner } from '../../src/runtime/in-process.ts';
import { writeScriptedModel } from '../fixtures/scripted-model.ts';
import { startAskd, type Askd } from './overhead/askd.ts';

const COLD_STARTS = 9;
const COLD_MS_MAX = 1500;
const LEASES = 20_000;
const LEASE_MS_MAX = 0.2;

const leaseMs = await timeLeases();
const coldMs = await timeColdStarts({});
const bareMs = await timeColdStarts({ ASKD_SANDBOX: 'off' });
console.log(
  [
    `load of the machine: ${(loadavg()[0] ?? 0).toFixed(1)}`,
    line('a lease and a slot of a warm model', leaseMs, LEASE_MS_MAX),
    line('cold start to first token, tiny model', coldMs, COLD_MS_MAX),
    line('the same without a sandbox', bareMs, COLD_MS_MAX),
  ].join('\n'),
);

/** What the pool itself adds to a request whose model is in memory. */
async function timeLeases(): Promise<number[]> {
  const description = { slots: 4, contextTokens: 64, threads: 1, device: 'none' };
  const pool = createPool({
    promptCacheBytes: 0,
    start: async () => asRunner({ description, [Symbol.asyncDispose]: async () => undefined }),
    placeOf: () => NOWHERE,
    needOf: () => NO_BYTES,
    budget: () => NO_BYTES,
    contextOf: () => ({ contextTokens: 64, slots: 4, isAutomatic: false, reason: 'as the bench has it' }),
    report: () => undefined,
    slotsOf: () => 4,
    queueMax: 64,
    keepAliveMs: 600_000,
    waitMs: 60_000,
    turnMs: 5_000,
    clock: systemClock,
  });
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let count = 0; count < LEASES; count++) {
    const startedAt = performance.now();
    using lease = await pool.lease(manifestOf('warm'), signal);
    await lease.slot(signal);
    times.push(performance.now() - startedAt);
  }
  await pool.close();
  return times;
}

/** Each time from a running daemon with nothing in memory. */
async function timeColdStarts(settings: Record<string, string>): Promise<number[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-pool-'));
  try {
    const file = path.join(folder, 'tiny.gguf');
    await writeScriptedModel(file, { text: 'and so on, ', endless: true });
    await using askd = await startAskd(settings);
    await askd.run('import', file, '--id', 'tiny');
    const times: number[] = [];
    for (let start = 0; start < COLD_STARTS; start++) {
      times.push(await timeFirstToken(askd));
      await askd.run('stop', 'tiny');
    }
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeFirstToken({ baseUrl, key }: Askd): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'tiny',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      max_tokens: 4,
    }),
  });
  let text = '';
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
    if (text.includes('"content":"and')) return performance.now() - startedAt;
  }
  throw new Error(`No token came: ${text.slice(0, 500)}`);
}

function manifestOf(id: string): ModelManifest {
  const rest = { path: `/${id}`, bytes: 1, contextTokensMax: 64, licence: 'none' };
  return { id, name: id, engine: 'llama', tasks: ['chat'], services: [], tier: 'imported', ...rest };
}

function line(what: string, times: readonly number[], msMax: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  const digits = msMax < 1 ? 4 : 0;
  const verdict = at(0.5) <= msMax ? 'holds' : 'SHORT';
  const shown = [at(0.5), at(0.99), at(0)].map((ms) => ms.toFixed(digits));
  return `${what}: median ${shown[0]} ms, p99 ${shown[1]}, best ${shown[2]}; at most ${msMax}: ${verdict}`;
}
