import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '../../../../src/api/account/keys.ts';
import { openDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';

let daemon: TestDaemon;
const askd = (line: string) => runCli(line.split(' '), { home: daemon.home });

beforeAll(async () => {
  daemon = await openDaemon();
  announce(daemon);
});
afterAll(() => daemon.close());

const BUDGET = '--credits-per-month 50 --tokens-per-month 1.5M --rpm 10';

test('a key is created with a budget, which list and show print with its use', async () => {
  expect((await askd('keys list')).stdout).not.toMatch(/CREDITS THIS MONTH|REQUESTS/);
  const made = JSON.parse((await askd(`keys create --name app ${BUDGET} --json`)).stdout) as ApiKey;
  const budget = {
    credits_per_month: 50,
    tokens_per_month: 1_500_000,
    rpm: 10,
    credits_used: 0,
    tokens_used: 0,
  };
  expect(made.budget).toEqual(budget);
  const list = await askd('keys list');
  expect(list.stdout).toMatch(/CREDITS THIS MONTH +TOKENS +REQUESTS/);
  expect(list.stdout).toMatch(/app .* 0\.00 of 50\.00 +0 of 1500000 +10 a minute/);
  expect(list.stdout).toMatch(/test .* 0\.00 +0 +as the account/);
  const shown = await askd(`keys show ${made.id}`);
  expect(shown.stdout).toMatch(/credits this month +0\.00 of 50\.00\n/);
  expect(shown.stdout).toMatch(/tokens this month +0 of 1500000\n/);
  expect(shown.stdout).toMatch(/requests +10 a minute\n/);
  const json = JSON.parse((await askd(`keys show ${made.id} --json`)).stdout) as ApiKey;
  expect(json.budget).toEqual(budget);
});

test('a budget is changed part by part, and none removes a part', async () => {
  const { id } = JSON.parse((await askd(`keys create --name other ${BUDGET} --json`)).stdout) as ApiKey;
  const budget = async () =>
    (JSON.parse((await askd(`keys show ${id} --json`)).stdout) as ApiKey).budget as unknown;
  expect((await askd(`keys update ${id} --credits-per-month 0.5`)).stdout).toMatch(/^Changed other/);
  expect(await budget()).toMatchObject({ credits_per_month: 0.5, tokens_per_month: 1_500_000, rpm: 10 });
  await askd(`keys update ${id} --rpm none --tokens-per-month 250k`);
  expect(await budget()).toMatchObject({ credits_per_month: 0.5, tokens_per_month: 250_000, rpm: null });
});

test.each([
  '--credits-per-month -1',
  '--credits-per-month 1e3',
  '--credits-per-month 0.0000000001',
  '--tokens-per-month 0',
  '--tokens-per-month 1.5',
  '--tokens-per-month many',
  '--rpm 0',
  '--rpm 1.5',
])('%s is an error, and creates no key', async (option) => {
  const { code, stderr } = await askd(`keys create --name wrong ${option}`);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/It must be/)]);
  expect((await askd('keys list')).stdout).not.toContain('wrong');
});
