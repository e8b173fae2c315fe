import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { send } from '../../helpers/daemon/daemon.ts';
import { install, type Installation } from '../../helpers/daemon/installation.ts';

type Entry = { action: string; object: string; actor: { kind: string }; before: unknown; after: unknown };

const configOf = ({ home }: Installation) => join(home, 'config.json');
const edit = (installed: Installation, config: object) =>
  writeFileSync(configOf(installed), JSON.stringify(config), { mode: 0o600 });

async function restart({ askd }: Installation): Promise<void> {
  await askd(['down']);
  expect(await askd(['up'])).toMatchObject({ exitCode: 0 });
}

async function put(installed: Installation, name: string, value: string): Promise<void> {
  const token = readFileSync(join(installed.home, 'root-token'), 'utf8');
  const { status } = await send({
    ...{ method: 'PUT', path: `/api/settings/${name}`, port: installed.presence()?.port },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  expect(status).toBe(200);
}

/** What the log says about settings and keys, oldest first, since the start before the last. */
async function changes({ askd }: Installation): Promise<Entry[]> {
  const { records } = (await askd(['audit', '--json', '-n', '500'])).json<{ records: Entry[] }>();
  const starts = records.flatMap(({ action }, index) => (action === 'daemon.start' ? [index] : []));
  return records
    .slice(0, starts[1] ?? records.length)
    .filter(({ action }) => /^(setting|key_file|root_token)\./.test(action))
    .reverse();
}

const names = (entries: readonly Entry[]) => entries.map(({ action, object }) => `${action} ${object}`);

test('the first start records settings that differ from the default, and one with the same settings records nothing', async () => {
  const installed = install();
  edit(installed, { log_level: 'debug' });
  await restart(installed);
  expect(await changes(installed)).toMatchObject([
    {
      ...{ action: 'setting.change', object: 'port', actor: { kind: 'operator' } },
      ...{ before: { value: 11_535, source: 'default' }, after: { value: 0, source: 'environment' } },
    },
    {
      ...{ action: 'setting.change', object: 'log_level', actor: { kind: 'operator' } },
      ...{ before: { value: 'info', source: 'default' }, after: { value: 'debug', source: 'file' } },
    },
  ]);
  await restart(installed);
  expect(await changes(installed)).toEqual([]);
  const { stdout } = await installed.askd(['audit', '--by', 'operator', '--object', 'log_level', '--plain']);
  expect(stdout).toContain('setting.change\tlog_level\toperator of the machine');
});

test('settings changed in the file, by the command line and by variables are recorded with both values', async () => {
  const installed = install();
  edit(installed, { log_level: 'debug', model_slots: 2 });
  await restart(installed);
  edit(installed, { log_level: 'warn' });
  await installed.askd(['config', 'set', 'model_queue_max', '7']);
  Object.assign(installed.environment, { ASKD_DRAIN_TIMEOUT_MS: '500' });
  await restart(installed);
  expect(await changes(installed)).toMatchObject([
    { object: 'log_level', before: { value: 'debug' }, after: { value: 'warn', source: 'file' } },
    { object: 'model_slots', before: { value: 2, source: 'file' }, after: { value: 4, source: 'default' } },
    { object: 'drain_timeout_ms', after: { value: 500, source: 'environment' } },
    { object: 'model_queue_max', after: { value: 7, source: 'file' } },
  ]);
});

test('the start does not record again a setting that a request changed, unless it was edited since', async () => {
  const installed = install();
  await restart(installed);
  await put(installed, 'model_slots', '3');
  await put(installed, 'model_queue_max', '5');
  const written = JSON.parse(readFileSync(configOf(installed), 'utf8')) as object;
  edit(installed, { ...written, model_queue_max: 6 });
  await restart(installed);
  expect(names(await changes(installed))).toEqual([
    'setting.update model_slots',
    'setting.update model_queue_max',
    'setting.change model_queue_max',
  ]);
});

test('nor is one that a request changed before a thousand other changes', { timeout: 120_000 }, async () => {
  const installed = install();
  await restart(installed);
  await put(installed, 'model_queue_max', '5');
  for (let change = 0; change < 1_001; change++)
    await put(installed, 'model_slots', String(2 + (change % 2)));
  await restart(installed);
  const { records } = (await installed.askd(['audit', '--by', 'operator', '--json'])).json<{
    records: Entry[];
  }>();
  expect(records.map(({ object }) => object)).toEqual(['port']);
});

test('for secrets, addresses with a password and key files, only the fact of a change is recorded', async () => {
  const installed = install();
  const { askd, home } = installed;
  const catalog = (password: string) => `https://ada:${password}@models.example/catalog.json?t=${password}`;
  edit(installed, { catalog_url: catalog('first-password') });
  await askd(['secrets', 'set', 'hub_token', '--in', 'file'], { input: 'hf_first' });
  await restart(installed);
  edit(installed, { catalog_url: catalog('second-password') });
  await askd(['secrets', 'set', 'hub_token', '--in', 'file'], { input: 'hf_second' });
  await askd(['secrets', 'set', 'agent_brave_key', '--in', 'file'], { input: 'brave_first' });
  await askd(['down']);
  writeFileSync(join(home, 'root-token'), `askroot_${'x'.repeat(43)}`);
  await restart(installed);
  expect(await changes(installed)).toMatchObject([
    { object: 'catalog_url', before: { value: 'https://models.example/…' }, after: { value: 'changed' } },
    { object: 'hub_token', before: { value: 'set' }, after: { value: 'changed', source: 'secrets' } },
    { action: 'key_file.change', object: 'root-token', after: { value: 'changed' } },
    { object: 'agent_brave_key', before: { value: null }, after: { value: 'set', source: 'secrets' } },
  ]);

  await askd(['token', 'rotate']);
  await restart(installed);
  expect(names(await changes(installed))).toEqual(['root_token.rotate null']);
  const { stdout } = await askd(['audit', '--format', 'jsonl']);
  expect((await askd(['audit', '--verify'])).exitCode).toBe(0);
  await askd(['down']);
  const stored = readFileSync(join(home, 'askd.db'), 'latin1') + stdout;
  expect(stored).toContain('agent_brave_key');
  for (const secret of ['first-password', 'second-password', 'hf_first', 'hf_second', 'brave_first'])
    expect(stored).not.toContain(secret);
});

test('a seal key that was replaced by hand is recorded, and the settings that it hashed are not', async () => {
  const installed = install();
  edit(installed, { log_level: 'debug' });
  await restart(installed);
  await installed.askd(['down']);
  writeFileSync(join(installed.home, 'seal-key'), randomBytes(32));
  await restart(installed);
  expect(names(await changes(installed))).toEqual(['key_file.change seal-key']);
});
