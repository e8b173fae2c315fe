import { readdirSync, readFileSync } from 'node:fs';

export type Sample = {
  minute: number;
  rssMegabytes: number;
  openFiles: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
};

/** What the daemon uses, from /proc, and how long light requests have taken since the last sample. */
export function createSamples(pid: number) {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  let times: number[] = [];
  return {
    samples,
    light: (ms: number) => void times.push(ms),
    take(requests: number): Sample {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      const sample = {
        minute: (performance.now() - startedAt) / 60_000,
        rssMegabytes: residentMegabytes(pid),
        openFiles: readdirSync(`/proc/${pid}/fd`).length,
        p50Ms: at(sorted, 0.5),
        p99Ms: at(sorted, 0.99),
        requests,
      };
      samples.push(sample);
      return sample;
    },
  };
}

function residentMegabytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
