import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toCsvCell } from '../../../src/base/csv.ts';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { announce, runCli, startCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

let daemon: TestDaemon;
const askd = (line: string, options: CliOptions = {}) =>
  runCli(line.split(' '), { home: daemon.home, ...options });

beforeAll(async () => {
  daemon = await openDaemon();
  announce(daemon);
});
afterAll(() => daemon.close());

describe('wallet', () => {
  test('balance shows the credits of the profile', async () => {
    expect((await askd('wallet balance')).stdout).toBe('balance  100.00 credits\n');
    expect(JSON.parse((await askd('wallet balance --json')).stdout)).toEqual({
      schema: 'wallet-balance/1',
      balance: 100,
      currency: 'usd',
      held: 0,
      available: 100,
    });
  });

  test('history lists transactions and says how to see more', async () => {
    credit(3);
    const { stdout, stderr } = await askd('wallet history --limit 2 --type bonus', { terminal: true });
    expect(stdout).toMatch(/WHEN +TYPE +AMOUNT +BALANCE +WHAT/);
    expect(stdout).toMatch(/bonus +1\.00 +103\.00 +gift 3/);
    const next = /--before (txn_\w+)/.exec(stderr)?.[1];
    const older = JSON.parse((await askd(`wallet history --json --before ${next}`)).stdout) as {
      transactions: { description: string }[];
    };
    expect(older.transactions.map(({ description }) => description)).toEqual([
      'gift 1',
      'Welcome to your own machine',
    ]);
  });

  test('history rejects an unknown type', async () => {
    const { code, stderr } = await askd('wallet history --type gifts');
    expect([code, stderr]).toEqual([2, expect.stringContaining('topup, usage, refund, bonus')]);
  });

  test('export writes every transaction, from all pages', async () => {
    credit(1005);
    const { stdout } = await askd('wallet export --format jsonl');
    expect((await askd('wallet export --json')).stdout).toBe(stdout);
    expect(await askd('wallet export --json --format csv')).toMatchObject({ code: 2, stdout: '' });
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; amount: number; balance_after: number });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(rows[0]?.balance_after ?? 0, 6);
    const file = join(temporaryFolder(), 'wallet.csv');
    const written = await askd(`wallet export --out ${file}`);
    expect(written.stdout).toBe(`Wrote ${rows.length} transactions to ${file}.\n`);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines[0]).toBe('id,created_at,type,amount,balance_after,description');
    expect(lines).toHaveLength(rows.length + 1);
    const again = await askd(`wallet export --out ${file}`);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(file)]);
  });

  test.each([
    ['plain', 'plain'],
    ['a "quoted", part', '"a ""quoted"", part"'],
    ['=1+1', "'=1+1"],
    ['@cmd', "'@cmd"],
    [-5, '-5'],
  ])('export writes %j as %s', (value, cell) => {
    expect(toCsvCell(value)).toBe(cell);
  });

  test('settings changes the named part and keeps the rest', async () => {
    const changed = await askd('wallet settings --spending-limit 20 --limit-action alert --json');
    expect(JSON.parse(changed.stdout)).toMatchObject({
      auto_topup: { enabled: true, threshold: 10, amount: 100 },
      spending_limit: { enabled: true, monthly_limit: 20, action: 'alert' },
    });
    await askd('wallet settings --spending-limit off --low-balance 5');
    expect((await askd('wallet settings')).stdout).toBe(
      'automatic top-up  100.00 below 10.00\nspending limit    off\nlow balance       below 5.00, as a notice\n',
    );
  });

  test('topup prints where to confirm', async () => {
    const { stdout } = await askd('wallet topup 50 --no-open');
    expect(stdout).toMatch(/amount +50\.00\nbonus +2\.50\ncredits +52\.50\nconfirm at +http:\/\/127/);
    const large = await askd('wallet topup 500 --no-open');
    expect([large.code, large.stderr]).toEqual([2, expect.stringContaining('sales')]);
  });
});

describe('account tier', () => {
  test('shows the tier, and changes it', async () => {
    expect((await askd('account tier')).stdout).toMatch(
      /tier +enterprise\nprofile +personal\nrequests +unlimited/,
    );
    expect((await askd('account tier free')).stdout).toMatch(/tier +free\n[^]*of 100000/);
    const custom = await askd('account tier enterprise --rpm 7 --monthly-tokens 1000 --json');
    expect(JSON.parse(custom.stdout)).toMatchObject({ rpm: 7, tpm: 1_000_000_000, monthly_tokens: 1000 });
    await askd('account tier enterprise');
  });

  test('allows custom limits for enterprise only', async () => {
    const { code, stderr } = await askd('account tier startup --rpm 7');
    expect([code, stderr]).toEqual([2, expect.stringContaining('enterprise')]);
    const unknown = await askd('account tier gold');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('developer')]);
  });
});

describe('init', () => {
  test('sets the profile and makes a key, asking nothing', async () => {
    const { stdout } = await askd('init --profile hosted --key app --json');
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect(document).toMatchObject({ schema: 'init/1', profile: 'hosted', tier: 'free', rpm: 10 });
    expect(document['key']).toMatch(/^ask_/);
    const back = await askd('init --yes');
    expect(back.stdout).toMatch(/^profile +personal/);
  });

  test('on a terminal asks for the profile and whether a key is wanted', async () => {
    const { exit, type, written } = startCli(['init'], { home: daemon.home });
    await eventually(() => written().stderr).toContain('Enter for 1');
    type('3\r');
    await eventually(() => written().stderr.split('Enter for 1').length).toBe(3);
    type('\r');
    await eventually(() => written().stderr).toContain('[y/N]');
    type('n\r');
    expect(await exit).toBe(0);
    expect(written().stdout).toMatch(/profile +personal/);
    expect(written().stdout).not.toContain('ask_');
  });

  test('without a terminal says what to add', async () => {
    const { code, stderr } = await askd('init');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
  });
});

describe('keys', () => {
  test('update switches a key off and on and changes its scopes', async () => {
    const key = await newKey('switched');
    expect((await askd(`keys update ${key.id} --off`)).stdout).toMatch(
      /^Disabled switched \(ask_.{4}…\)\.\n/,
    );
    expect((await askd('keys list')).stdout).toMatch(/switched .* off /);
    expect((await daemon.call('GET', '/v1/rate-limit', { token: key.key })).status).toBe(401);
    await askd(`keys update ${key.id} --on --name renamed --scopes chat`);
    const refused = await daemon.call('GET', '/v1/rate-limit', { token: key.key });
    expect(refused.json()).toMatchObject({ error: { code: 'insufficient_scope' } });
  });

  test.each(['keys update k', 'keys update k --on --off'])('%s says what is wrong', async (line) => {
    const { code, stderr } = await askd(line);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--off')]);
  });

  test('rotate issues a new secret and ends the old one after the grace period', async () => {
    const old = await newKey('rotated');
    const graced = await askd(`keys rotate ${old.id} --grace 60`);
    expect(graced.stdout).toMatch(/^ask_\w{46}\n$/);
    expect((await daemon.call('GET', '/v1/rate-limit', { token: old.key })).status).toBe(200);
    const rotated = JSON.parse((await askd(`keys rotate ${old.id} --json`)).stdout) as { key: string };
    expect((await daemon.call('GET', '/v1/rate-limit', { token: old.key })).status).toBe(401);
    expect((await daemon.call('GET', '/v1/rate-limit', { token: rotated.key })).status).toBe(200);
  });
});

test('status shows the tier, the wallet and what the owner should know', async () => {
  const { stdout } = await askd('status');
  expect(stdout).toMatch(/tier +enterprise\nwallet +\d+\.\d\d credits/);
});

test('doctor --ledger recomputes the balances', async () => {
  const { findings } = JSON.parse((await askd('doctor --ledger --json')).stdout) as {
    findings: { check: string; level: string; message: string }[];
  };
  expect(findings.find(({ check }) => check === 'ledger')).toMatchObject({
    level: 'ok',
    message: expect.stringMatching(/^\d+ transactions and 0 open holds/) as string,
  });
});

function credit(count: number): void {
  const { store, wallet } = daemon.services;
  for (let n = 1; n <= count; n++) {
    const amounts = { accountId: 'acct_local', type: 'bonus' as const, amountN: 1_000_000_000 };
    const reference = { refType: 'test', refId: `${count}-${n}` };
    store.transaction(() => wallet.credit({ ...amounts, ...reference, description: `gift ${n}` }));
  }
}

async function newKey(name: string): Promise<{ id: string; key: string }> {
  return JSON.parse((await askd(`keys create --name ${name} --json`)).stdout) as { id: string; key: string };
}
