import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { processorMs, startAskd } from './overhead/askd.ts';
import { probeHealth, timeCurl, timePull, type Owner } from './pull/sides.ts';

/** Downloads the same file from the same local hub by curl and by askd, in turn. */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const bytes = Number(options.megabytes) * 1_000_000;

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-pull-'));
const { hub, url } = await startHub();
try {
  await using askd = await startAskd({
    HF_ENDPOINT: url,
    HF_HUB_CACHE: path.join(folder, 'cache'),
    HF_TOKEN: '',
    ASKD_OFFLINE: 'false',
  });
  const { key } = (await askd.run('keys', 'create', '--name', 'owner', '--scopes', 'admin')) as {
    key: string;
  };
  const results = await measure({ url: askd.baseUrl.replace(/\/v1$/, ''), key }, askd.pid);
  console.log(options.json ? JSON.stringify(results, null, 2) : describe(results));
} finally {
  hub.disconnect();
  await rm(folder, { recursive: true, force: true });
}

async function startHub(): Promise<{ hub: ChildProcess; url: string }> {
  print(`making ${options.megabytes} MB`);
  const child = fork(path.join(import.meta.dirname, 'pull', 'hub-process.js'), [String(bytes)]);
  const [message] = (await once(child, 'message')) as [{ url: string }];
  return { hub: child, url: message.url };
}

async function measure(owner: Owner, daemon: number) {
  const curl: number[] = [];
  const curlAndHash: number[] = [];
  const processor: number[] = [];
  const pull: number[] = [];
  const healthMs: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    print(`round ${round} of ${rounds}`);
    const sides = [
      async () => {
        const { alone, hashed } = await timeCurl(url, folder);
        curl.push(alone);
        curlAndHash.push(hashed);
      },
      async () => {
        const stop = probeHealth(owner);
        const usedBefore = await processorMs(daemon);
        pull.push(await timePull(owner, bytes));
        processor.push(((await processorMs(daemon)) - usedBefore) / 1000);
        healthMs.push(...(await stop()));
      },
    ];
    for (const side of round % 2 === 1 ? sides : sides.reverse()) await side();
  }
  const ratiosTo = (other: readonly number[]) => other.map((each, index) => each / (pull[index] ?? Infinity));
  const ratios = ratiosTo(curl);
  return {
    megabytes: bytes / 1e6,
    cores: availableParallelism(),
    load: loadavg()[0],
    curl_megabytes_per_second: curl.map(rate),
    curl_and_hash_megabytes_per_second: curlAndHash.map(rate),
    hash_megabytes_per_second: curlAndHash.map((both, index) => rate(both - (curl[index] ?? 0))),
    pull_megabytes_per_second: pull.map(rate),
    ratio_median: median(ratios),
    ratios,
    ratio_to_curl_and_hash_median: median(ratiosTo(curlAndHash)),
    pull_processor_seconds_per_gigabyte: median(processor) / (bytes / 1e9),
    healthz_p50_ms: quantile(healthMs, 0.5),
    healthz_p99_ms: quantile(healthMs, 0.99),
    healthz_max_ms: Math.max(...healthMs),
    healthz_samples: healthMs.length,
  };
}

function rate(seconds: number): number {
  return Math.round(bytes / 1e6 / seconds);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function describe(results: Awaited<ReturnType<typeof measure>>): string {
  const { ratio_median: ratio, healthz_p99_ms: p99, healthz_p50_ms: p50, healthz_samples: samples } = results;
  return [
    `${results.megabytes} MB, ${results.cores} cores, load ${results.load?.toFixed(1)}`,
    `curl          ${results.curl_megabytes_per_second.join(' ')} MB/s`,
    `curl, hash    ${results.curl_and_hash_megabytes_per_second.join(' ')} MB/s, openssl dgst -sha256 after it`,
    `hash alone    ${results.hash_megabytes_per_second.join(' ')} MB/s: no pull that verifies is faster, it is one thread's work`,
    `askd pull     ${results.pull_megabytes_per_second.join(' ')} MB/s, with sha256`,
    `askd / curl   ${ratio.toFixed(2)} (median of ${results.ratios.map((each) => each.toFixed(2)).join(' ')}), goal 0.8`,
    `askd / both   ${results.ratio_to_curl_and_hash_median.toFixed(2)} of curl and the hash after it`,
    `processor     ${results.pull_processor_seconds_per_gigabyte.toFixed(2)} s of the daemon's for a GB, hash and all`,
    `/healthz      p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${samples}, goal 50 ms`,
  ].join('\n');
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
