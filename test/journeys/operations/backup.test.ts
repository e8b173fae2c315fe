import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../../../scripts/fixtures/certificates.ts';
import { readConnection } from '../../../src/upstream/connection.ts';
import { install, type Installation } from '../../helpers/daemon/installation.ts';
import { endlessModel } from '../../helpers/models/models.ts';
import { openReceiver } from '../../helpers/servers/receiver.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const PASSPHRASE = 'a long passphrase of mine';
const SECRETS = ['hf_0123456789', 'upstream-key-0123456789'];

type Model = { id: string; bound_to: string[]; aliases: string[]; is_present: boolean };
type Key = { id: string; key: string; key_prefix: string };

async function succeeds({ askd }: Installation, args: string[], input = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await askd(args, { input });
  expect([args.join(' '), exitCode, stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
  return stdout;
}

function passphraseFile(text = PASSPHRASE): string {
  const path = join(temporaryFolder(), 'passphrase');
  writeFileSync(path, `${text}\n`);
  return path;
}

async function openHook() {
  const certificates = makeCertificates();
  const hook = await openReceiver({ certificates });
  onTestFinished(hook.close);
  const ca = join(temporaryFolder(), 'ca.pem');
  writeFileSync(ca, certificates.ca);
  return { hook, ca };
}

/** A home with something of every kind in it. */
async function livedIn() {
  const { hook, ca } = await openHook();
  const env = { ASKD_WEBHOOKS_CA: ca };
  const installed = install(env);
  const run = (args: string[], input?: string) => succeeds(installed, args, input);
  await run(['config', 'set', 'webhooks_allow_cidrs', '["127.0.0.1/32"]']);
  await run(['secrets', 'set', 'hub_token', '--in', 'file'], SECRETS[0]);
  await run(['up']);
  const key = JSON.parse(await run(['keys', 'create', '--name', 'app', '--json'])) as Key;
  await run(['wallet', 'topup', '25']);
  const { path } = await endlessModel();
  await run(['import', path, '--id', 'mine', '--no-check']);
  await run(['bind', 'svc-chat-v1', 'mine']);
  await run(['cp', 'mine', 'nickname']);
  await run(
    ['upstream', 'add', 'far', '--url', 'http://127.0.0.1:9/v1', '--model', 'm', '--key-stdin'],
    SECRETS[1],
  );
  const added = JSON.parse(
    await run(['webhooks', 'add', hook.url, '--events', 'api_key.created', '--json']),
  ) as {
    webhook: { id: string };
    secret: string;
  };
  await run(['chat', 'hello', '--max-tokens', '3']);
  await run(['chat', '--session', 'plans', 'hello', '--max-tokens', '3']);
  return {
    env,
    installed,
    run,
    key,
    hook,
    secret: added.secret,
    webhookId: added.webhook.id,
    modelPath: path,
  };
}

const stateOf = async (run: (args: string[]) => Promise<string>) => ({
  history: (JSON.parse(await run(['wallet', 'history', '--json'])) as { transactions: unknown }).transactions,
  balance: JSON.parse(await run(['wallet', 'balance', '--json'])) as unknown,
  usage: (JSON.parse(await run(['usage', '--by', 'model', '--json'])) as { data: unknown }).data,
  models: (JSON.parse(await run(['list', '--json'])) as { artifacts: Model[] }).artifacts.map(
    ({ id, bound_to, aliases, is_present }) => ({ id, bound_to, aliases, is_present }),
  ),
  webhooks: (
    JSON.parse(await run(['webhooks', 'list', '--json'])) as { webhooks: { id: string }[] }
  ).webhooks.map(({ id }) => id),
});

test(
  'money, keys, webhooks, bindings and secrets come back in a new home, and the ledger is clean',
  { timeout: 240_000 },
  async () => {
    const { env, installed, run, key, hook, secret } = await livedIn();
    const file = join(temporaryFolder(), 'askd.tar');
    const before = await stateOf(run);
    const written = await run(['backup', file, '--passphrase-file', passphraseFile()]);
    expect(written).toContain(
      'Encrypted with the passphrase: hub_token, upstream m, the signing secrets of 1 webhook.',
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file, 'latin1');
    for (const each of [
      ...SECRETS,
      secret,
      key.key,
      readFileSync(join(installed.home, 'seal-key'), 'latin1'),
    ]) {
      expect(bytes.includes(each)).toBe(false);
    }
    expect(readdirSync(join(installed.home, 'uploads'))).toEqual([]);
    await run(['down']);

    const again = install(env);
    const runAgain = (args: string[]) => succeeds(again, args);
    await runAgain(['restore', '--check', file]);
    expect(readdirSync(again.home)).toEqual([]);
    expect(
      await again.askd(['restore', file, '--passphrase-file', passphraseFile('another passphrase')]),
    ).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('fix: give the right passphrase') as string,
    });
    expect(readdirSync(again.home)).toEqual([]);
    await runAgain(['restore', file, '--passphrase-file', passphraseFile()]);
    await runAgain(['up']);
    expect(await runAgain(['chats', 'show', 'plans'])).toContain('>>> hello');
    expect(await stateOf(runAgain)).toEqual(before);
    expect(await runAgain(['doctor', '--ledger'])).toMatch(/^ok +ledger/m);
    expect(readFileSync(join(again.home, 'secrets.json'), 'utf8')).toContain(SECRETS[0]);
    const [connection = ''] = readdirSync(join(again.home, 'upstreams'));
    expect(readConnection(join(again.home, 'upstreams', connection)).key).toBe(SECRETS[1]);

    const { port } = again.presence() ?? {};
    const answer = await fetch(`http://127.0.0.1:${port}/v1/models`, {
      headers: { authorization: `Bearer ${key.key}` },
    });
    expect(answer.status).toBe(200);
    await runAgain(['keys', 'create', '--name', 'later']);
    await expect.poll(() => hook.deliveries.length, { timeout: 30_000 }).toBe(1);
    const { body, headers } = hook.deliveries[0]!;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'api_key.created' });
  },
);

test(
  'a restore without secrets names each that must be set again, and a webhook signs again once it is rotated',
  { timeout: 240_000 },
  async () => {
    const { env, run, hook, webhookId, modelPath } = await livedIn();
    const file = join(temporaryFolder(), 'askd.tar');
    expect(await run(['backup', file, '--no-secrets'])).toContain(
      'Left out, to be set again after a restore: hub_token',
    );
    await run(['down']);
    rmSync(modelPath);

    const again = install(env);
    const runAgain = (args: string[]) => succeeds(again, args);
    const restored = await runAgain(['restore', file]);
    for (const line of [
      'askd secrets set hub_token',
      `askd webhooks rotate ${webhookId}`,
      `mine: ${modelPath}`,
      'askd up',
    ]) {
      expect(restored).toContain(line);
    }
    await runAgain(['up']);
    const rotated = JSON.parse(await runAgain(['webhooks', 'rotate', webhookId, '--json'])) as {
      secret: string;
    };
    await runAgain(['keys', 'create', '--name', 'later']);
    await expect.poll(() => hook.deliveries.length, { timeout: 30_000 }).toBe(1);
    const { body, headers } = hook.deliveries[0]!;
    expect(new Webhook(rotated.secret).verify(body, headers)).toMatchObject({ type: 'api_key.created' });
  },
);

test('a backup asks for a decision on secrets, replaces nothing unasked, and leaves nothing half written', async () => {
  const installed = install();
  const folder = temporaryFolder();
  const file = join(folder, 'askd.tar');
  const { askd } = installed;
  expect(await askd(['backup', file])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`askd backup ${file} --no-secrets`) as string,
  });
  await succeeds(installed, ['backup', file, '--no-secrets']);
  const first = readFileSync(file);
  expect(await askd(['backup', file, '--no-secrets'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      `fix: use another name, or replace it: askd backup ${file} --force`,
    ) as string,
  });
  expect(readFileSync(file).equals(first)).toBe(true);
  const replaced = (await askd(['backup', file, '--no-secrets', '--force', '--json'])).json<{
    schema: string;
    members: unknown[];
  }>();
  expect(replaced).toMatchObject({ schema: 'backup/1', members: [{ name: 'askd.db' }] });
  const nowhere = await askd(['backup', join(folder, 'missing', 'askd.tar'), '--no-secrets']);
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([2, expect.stringContaining('cannot be written to')]);
  expect(readdirSync(folder)).toEqual(['askd.tar']);

  const refused = await askd(['restore', file]);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('fix: askd down && mv')]);
  expect(existsSync(join(installed.home, 'askd.db'))).toBe(true);
});
