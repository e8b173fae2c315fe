import { expect, test } from 'vitest';
import type { Client } from '../../../scripts/soak/client.ts';
import { findingsOf, type Outcome } from '../../../scripts/soak/report.ts';
import { soak } from '../../../scripts/soak/run.ts';

const SECOND_MS = 1_000;
const MINUTES = 10;

test(
  'under everything at once, for ten minutes, the daemon answers or refuses as documented',
  { timeout: (MINUTES + 5) * 60 * SECOND_MS },
  async () => {
    const plan = {
      minutes: MINUTES,
      crowdSeconds: 5,
      killEveryMs: 30 * SECOND_MS,
      fillEveryMs: 60 * SECOND_MS,
      stepEveryMs: 45 * SECOND_MS,
      sampleEveryMs: 10 * SECOND_MS,
    };
    const { report, findings, outcome } = await soak(plan, () => undefined);
    expect(findings, report).toEqual([]);
    expect(outcome.faults.kills).toBeGreaterThan(0);
    expect(outcome.faults.steps).toBeGreaterThan(3);
    if (outcome.wasFilled) expect(outcome.faults.fills).toBeGreaterThan(0);
    expect(outcome.client.counts.answered).toBeGreaterThan(50);
    expect(outcome.deliveries).toBeGreaterThan(5);
  },
);

const sample = (minute: number, changes: object = {}) => ({
  ...{ minute, rssMegabytes: 100, openFiles: 50, p50Ms: 1, p99Ms: 5, requests: 10 },
  ...changes,
});
const quiet: Outcome = {
  samples: Array.from({ length: 90 }, (_, minute) => sample(minute)),
  client: { findings: new Map() } as Client,
  faults: { kills: 1, fills: 1, steps: 1 },
  ...{ wasFilled: true, audit: [], logged: [], hasEnded: false, deliveries: 1 },
};

test('a flat run has no findings, and each kind of leak is found', () => {
  const found = (changes: Partial<Outcome>) => findingsOf({ ...quiet, ...changes });
  const growing = (changes: (minute: number) => object) => ({
    samples: quiet.samples.map(({ minute }) => sample(minute, changes(minute))),
  });
  expect(found({})).toEqual([]);
  expect(found(growing((minute) => ({ rssMegabytes: 100 + minute / 4 })))).toEqual([
    expect.stringContaining('memory grew by'),
  ]);
  expect(found(growing((minute) => ({ openFiles: 50 + minute })))).toEqual([
    expect.stringContaining('open files grew'),
  ]);
  expect(found({ hasEnded: true })).toEqual(['the daemon has ended']);
  expect(found({ audit: [{ invariant: 'sum', detail: 'x' }] })).toEqual(['ledger: sum (x)']);
  expect(found({ logged: ['{"level":60}'] })).toEqual(['log: {"level":60}']);
  expect(found({ client: { findings: new Map([['/v1: 500', 2]]) } as Client })).toEqual([
    '2 times: /v1: 500',
  ]);
});

test('a short run finds only memory that grows fast', () => {
  const short = (share: number) => ({
    samples: quiet.samples
      .slice(0, 30)
      .map(({ minute }) => sample(minute, { rssMegabytes: 100 * (1 + (share * minute) / 30) })),
  });
  expect(findingsOf({ ...quiet, ...short(0.2) })).toEqual([]);
  expect(findingsOf({ ...quiet, ...short(1) })).toEqual([expect.stringContaining('memory grew by')]);
});
