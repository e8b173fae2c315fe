import { expect, test } from 'vitest';
import { reportJson, reportText, type Measured } from '../../../../scripts/bench/overhead/report.ts';
import type { Round, Sample } from '../../../../scripts/bench/overhead/rounds.ts';

const sample = (
  firstTokenMs: Sample['firstTokenMs'],
  ...[one, four, eight]: [number, number, number]
): Sample => ({
  firstTokenMs,
  tokensPerSecond: { 1: one, 4: four, 8: eight },
});

/** The second round ran on a machine half as fast, as happens; its ratios are those of the first. */
const MEASURED: Measured = {
  model: 'synthetic',
  rounds: [1, 2].map((slowness) => ({
    defaults: sample([90, 90], 50 / slowness, 60, 70),
    engine: sample([60, 70], 80 / slowness, 90, 120),
    daemon: sample([63, 72], 78 / slowness, 109.2 / slowness, 100 / slowness),
  })),
  versionMs: [100, 300, 120],
  idleMegabytes: 95,
  threads: { defaults: 4, engine: 2, daemon: 2 },
  cores: 2,
  load: [0.5, 2],
};

const verdictOf = (measured: Measured, label: string) =>
  reportJson(measured).goals.find((goal) => goal.label.includes(label));

test('ratios are taken within a round, so a slow round changes nothing', () => {
  expect(verdictOf(MEASURED, 'engine in-process')).toMatchObject({ median: 0.975, verdict: 'PASS' });
  expect(verdictOf(MEASURED, 'library defaults')).toMatchObject({ median: 1.56, verdict: 'PASS' });
});

test('a round in which a side got no second token is left out', () => {
  const [first, second] = MEASURED.rounds;
  const stuck = { ...first, defaults: sample([undefined], 0, 0, 0) } as Round;
  const rounds = [stuck, second as Round];
  expect(verdictOf({ ...MEASURED, rounds }, 'library defaults')).toMatchObject({ values: [1.56] });
});

test('the added time to the first token is compared prompt by prompt', () => {
  expect(verdictOf(MEASURED, 'first token')).toMatchObject({
    values: [3, 2, 3, 2],
    median: 2.5,
    verdict: 'PASS',
  });
});

test('a missed goal is reported as missed', () => {
  expect(verdictOf(MEASURED, '4 streams')).toMatchObject({
    median: expect.closeTo(1.4) as number,
    verdict: 'PASS',
  });
  expect(verdictOf(MEASURED, '8 streams')).toMatchObject({ verdict: 'short' });
  expect(verdictOf(MEASURED, '--version')).toMatchObject({ median: 120, verdict: 'PASS' });
});

test('memory that cannot be read is neither met nor missed', () => {
  expect(verdictOf({ ...MEASURED, idleMegabytes: undefined }, 'memory')).toMatchObject({
    median: null,
    verdict: 'skip',
  });
});

test('the text begins with the ratios and ends with the verdicts', () => {
  const lines = reportText(MEASURED).split('\n');
  expect(lines[1]).toMatch(/decode speed, daemon \/ engine in-process +0\.97 x/);
  expect(lines.at(-1)).toBe('PASS  memory of the idle daemon: 95.0, goal at most 130 MB');
});

test('the tiny model is used for overhead only', () => {
  const { goals } = reportJson({ ...MEASURED, model: 'tiny' });
  expect(goals.map(({ label }) => label)).toEqual(['added time to first token, daemon - engine']);
});
