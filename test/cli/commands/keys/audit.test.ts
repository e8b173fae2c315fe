import { expect, test } from 'vitest';
import { openSqlite } from '../../../../src/store/sqlite.ts';
import { eventually } from '../../../helpers/daemon/chat.ts';
import { openDaemon, startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { announce, runCli, startCli } from '../../../helpers/terminal/cli.ts';

/** A daemon with the records of a key that was created and revoked, and of a key that does not exist. */
async function openAudited(open: () => Promise<TestDaemon> = () => startDaemon()) {
  const daemon = await open();
  announce(daemon);
  const made = await daemon.call('POST', '/api/keys', {
    body: { name: 'app' },
    headers: { 'user-agent': 'curl/8' },
  });
  const { id } = made.json<{ id: string }>();
  await daemon.call('DELETE', `/api/keys/${id}`);
  await daemon.call('DELETE', '/api/keys/key_none');
  const askd = (line: string) => runCli(line.split(' '), { home: daemon.home });
  return { daemon, id, askd };
}

/** An edit by somebody with access to the file: without the trigger that refuses it. */
function editFile({ services }: TestDaemon, sql: string): void {
  const database = openSqlite(services.settings.paths.database);
  const trigger = database
    .prepare<[], { sql: string }>("SELECT sql FROM sqlite_schema WHERE name = 'audit_log_no_update'")
    .get();
  database.exec(`DROP TRIGGER audit_log_no_update; ${sql}; ${trigger?.sql}`);
  database.close();
}

test('askd audit lists what was changed, by whom and from where, newest first', async () => {
  const { askd, id } = await openAudited();
  const { stdout } = await askd('audit --plain');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').slice(1));
  expect(rows).toEqual([
    ['api_key.revoke', 'key_none', 'command line', '127.0.0.1', 'not_found'],
    ['api_key.revoke', id, 'command line', '127.0.0.1', 'succeeded'],
    ['api_key.create', id, 'root token (curl/8)', '127.0.0.1', 'succeeded'],
  ]);
});

test('the filters of askd audit are those of the log', async () => {
  const { askd, id } = await openAudited();
  const found = async (options: string) => {
    const { stdout } = await askd(`audit ${options} --json`);
    return (JSON.parse(stdout) as { records: { action: string; object: string }[] }).records.map(
      ({ action, object }) => `${action} ${object}`,
    );
  };
  expect(await found('--action api_key.create')).toEqual([`api_key.create ${id}`]);
  expect(await found(`--object ${id} -n 1`)).toEqual([`api_key.revoke ${id}`]);
  expect(await found('--by session')).toEqual([]);
  expect(await found('--since 2999-01-01')).toEqual([]);
  expect(await found('--since 1h --by root_token')).toHaveLength(3);
  expect((await askd('audit --action API_KEY')).code).toBe(2);
});

test('askd audit exports every record as CSV or JSON lines', async () => {
  const { askd, id } = await openAudited();
  const csv = (await askd('audit --format csv')).stdout.trimEnd().split('\n');
  expect(csv).toHaveLength(4);
  expect(csv[0]).toContain('seq,created_at,action,object,outcome,code,actor');
  expect(csv[2]).toContain(`,api_key.revoke,${id},succeeded,,root_token,`);
  const lines = (await askd('audit --format jsonl')).stdout.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([3, 2, 1]);
});

test(
  'askd audit --verify and askd doctor find a record that was edited in the file',
  { timeout: 120_000 },
  async () => {
    const { askd, daemon } = await openAudited();
    const whole = await askd('audit --verify');
    expect(whole.stdout).toMatch(/^3 records \(1 to 3\) unchanged; the last hash is [0-9a-f]{64}\n$/);
    expect(whole.code).toBe(0);
    expect((await askd('doctor')).stdout).toContain('3 records of management actions, unchanged');
    editFile(daemon, "UPDATE audit_log SET address = '10.0.0.1' WHERE seq = 2");
    const edited = await askd('audit --verify');
    expect(edited.stdout).toBe('record 2 was changed\n');
    expect(edited.code).toBe(9);
    expect((await askd('doctor')).stdout).toContain('edited outside askd: record 2 was changed');
  },
);

test('askd audit --follow prints records as they come', { timeout: 120_000 }, async () => {
  const { daemon, id } = await openAudited(() => openDaemon());
  const { screen, exit } = startCli(['audit', '--follow', '-n', '1'], { home: daemon.home, terminal: false });
  await eventually(screen).toContain('key_none');
  expect(screen()).not.toContain(id);
  await daemon.call('PUT', '/api/account/tier', { body: { tier: 'free' } });
  await eventually(screen).toContain('account.set_tier');
  await daemon.close();
  expect(await exit).toBe(6);
});

test('what was done in another account is named with it, and can be asked for alone', async () => {
  const { askd, id } = await openAudited();
  await askd('account create acme');
  await askd('account add-member ada --role member --account acme');
  await askd('account role ada owner --account acme');
  const { stdout } = await askd('audit --plain -n 3');
  const rows = stdout.trimEnd().split('\n');
  expect(rows.map((line) => line.split('\t').slice(1, 4))).toEqual([
    ['member.set_role', 'ada', 'acme'],
    ['member.add', 'ada', 'acme'],
    ['account.create', 'acme', 'default'],
  ]);
  const { records } = JSON.parse((await askd('audit --account acme --json')).stdout) as {
    records: unknown[];
  };
  expect(records).toMatchObject([
    { account: 'acme', before: { role: 'member' }, after: { role: 'owner' } },
    { account: 'acme', before: null, after: { role: 'member', email: null } },
  ]);
  const own = JSON.parse((await askd(`audit --object ${id} --json`)).stdout) as { records: object[] };
  expect(own.records.filter((record) => 'account' in record)).toEqual([]);
  const unknown = await askd('audit --account nobody');
  expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining('askd account list')]);
});
