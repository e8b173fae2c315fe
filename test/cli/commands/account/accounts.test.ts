import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';

let daemon: TestDaemon;
const askd = (line: string) => runCli(line.split(' '), { home: daemon.home });
const json = async <Answer>(line: string) => JSON.parse((await askd(`${line} --json`)).stdout) as Answer;

beforeAll(async () => {
  daemon = await openDaemon();
  announce(daemon);
  await askd('account create acme');
});
afterAll(() => daemon.close());

test('an account is created on the free tier with an empty wallet, listed and shown', async () => {
  const created = await askd('account create other');
  expect(created).toMatchObject({ code: 0, stdout: 'other\n' });
  expect(created.stderr).toContain('askd keys create --account other --name app');
  expect((await askd('account list')).stdout).toMatch(
    /NAME +TIER +CREDITS +KEYS +CREATED +STATE\ndefault +enterprise/,
  );
  const shown = await json('account show other');
  expect(shown).toMatchObject({
    name: 'other',
    tier: 'free',
    balance: 0,
    active_keys: 0,
    suspended_at: null,
  });
  expect((await askd('account create other')).code).toBe(1);
});

describe('--account', () => {
  test('makes a key in that account, and the owner’s own list does not show it', async () => {
    const { id } = await json<{ id: string }>('keys create --account acme --name app');
    const idsOf = ({ keys }: { keys: { id: string }[] }) => keys.map((key) => key.id);
    expect(idsOf(await json('keys list --account acme'))).toEqual([id]);
    expect(idsOf(await json('keys list'))).not.toContain(id);
    expect((await askd(`keys revoke ${id} --yes`)).code).toBe(5);
    expect((await askd(`keys revoke ${id} --yes --account acme`)).code).toBe(0);
  });

  test('shows and changes the tier, wallet and usage of that account only', async () => {
    const before = await json('account tier');
    await askd('account tier startup --account acme');
    expect(await json('account tier --account acme')).toMatchObject({ tier: 'startup', rpm: 500 });
    expect(await json('account tier')).toEqual(before);
    expect((await askd('wallet balance --account acme')).stdout).toBe('balance  0.00 credits\n');
    expect((await askd('wallet balance')).stdout).toBe('balance  100.00 credits\n');
    expect((await askd('usage --account acme')).code).toBe(0);
  });

  test('with an unknown name fails before anything is done', async () => {
    const { code, stderr } = await askd('keys create --account nobody --name app');
    expect([code, stderr]).toEqual([5, expect.stringContaining('There is no account "nobody"')]);
  });

  test('is not in the help of a command, and is rejected by commands about the machine', async () => {
    expect((await askd('keys create --help')).stdout).not.toContain('--account');
    expect((await askd('ps --account acme')).code).toBe(2);
  });
});

test('a suspended account is shown as such until it is resumed', async () => {
  expect((await askd('account suspend acme')).stdout).toContain('askd account resume acme');
  expect((await askd('account list')).stdout).toMatch(/acme .* suspended/);
  expect((await askd('account resume acme')).stdout).toBe('Resumed acme.\n');
  expect((await askd('account list')).stdout).toMatch(/acme .* active/);
});

describe('members', () => {
  test('are added, listed, given another role and removed', async () => {
    await askd('account create team');
    const on = '--account team';
    expect((await askd(`account members ${on}`)).stdout).toContain('askd account add-member');
    expect((await askd(`account add-member ada --role owner ${on}`)).stdout).toContain(
      'askd account login-link ada --account team',
    );
    await askd(`account add-member bo --role member --email bo@example.com ${on}`);
    expect((await askd(`account members ${on}`)).stdout).toMatch(
      /ada +owner +- .*\nbo +member +bo@example\.com/,
    );
    expect((await askd(`account role bo billing ${on}`)).stdout).toBe('bo now has the role billing.\n');
    expect((await askd(`account login-link bo ${on}`)).stdout).toMatch(/^http:.*\/login#askcode_/);
    expect((await askd(`account remove-member bo ${on}`)).stdout).toBe('Removed bo.\n');
    expect(await askd(`account remove-member ada ${on}`)).toMatchObject({ code: 1 });
    expect((await askd('account members --json')).stdout).not.toContain('ada');
  });
});
