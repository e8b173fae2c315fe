import { describe, expect, test } from 'vitest';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';

async function commandLine(env: Record<string, string> = { ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' }) {
  const daemon = await startDaemon(env);
  announce(daemon);
  const askd = async (...args: string[]) => runCli(['webhooks', ...args], { home: daemon.home });
  const json = async <Value>(...args: string[]) =>
    JSON.parse((await askd(...args, '--json')).stdout) as Value;
  return { daemon, askd, json };
}

test('add prints the secret alone, and nothing else ever shows it', async () => {
  const { askd } = await commandLine();
  const added = await askd(
    'add',
    'https://93.184.215.14/hook',
    '--events',
    'chat.started,chat.completed',
    '--name',
    'app',
  );
  expect(added.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect(added.stderr).toMatch(/^Created app \(wh_\w+\)\. This secret is not shown again\.\n$/);
  for (const args of [['list'], ['show', 'app'], ['list', '--json'], ['show', 'app', '--json']]) {
    const shown = await askd(...args);
    expect(shown.stdout).toContain('93.184.215.14');
    expect(shown.stdout).not.toContain(added.stdout.trim());
  }
});

test('a private address is refused with what could be done', async () => {
  const { askd } = await commandLine({});
  const { code, stdout, stderr } = await askd('add', 'https://10.0.0.1/', '--events', 'chat.started');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^error: This URL resolves to a private, local or reserved address\..*webhooks_allow_cidrs/,
  );
});

test('a webhook is paused, resumed, rotated and removed by its name', async () => {
  const { askd, json } = await commandLine();
  await askd('add', 'https://93.184.215.14/', '--events', 'chat.started', '--name', 'app');
  await askd('pause', 'app');
  expect((await askd('list')).stdout).toContain('paused');
  await askd('resume', 'app');
  expect((await askd('list')).stdout).toContain('active');
  expect((await askd('rotate', 'app')).stdout).toMatch(/^whsec_/);
  expect(await askd('rm', 'app')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes') as string,
  });
  expect((await askd('rm', 'app', '--yes')).stdout).toMatch(/^Removed app/);
  expect(await json('list')).toMatchObject({ webhooks: [] });
  expect(await askd('show', 'app')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('askd webhooks list') as string,
  });
});

test('test, trigger, deliveries, resend and replay show the outcome', async () => {
  const hook = await receiver();
  const { askd, json } = await commandLine();
  await askd('add', hook.url, '--events', 'api_key.created', '--name', 'app');
  expect(await askd('test', 'app')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^status 200 after \d+ ms\n$/) as string,
  });
  await askd('trigger', 'api_key.created');
  await eventually(() => hook.types()).toEqual(['webhook.test', 'api_key.created']);
  const id = hook.ids()[1] ?? '';
  type Page = { deliveries: { event_id: string }[] };
  await eventually(async () => (await askd('deliveries', 'app', '--state', 'delivered')).stdout).toContain(
    id,
  );
  expect((await json<Page>('deliveries', 'app', '-n', '1')).deliveries).toMatchObject([{ event_id: id }]);
  expect((await askd('deliveries', 'app', id)).stdout).toMatch(/^state +delivered$/m);
  hook.behaves((_delivery, response) => void response.writeHead(503).end('busy'));
  expect(await askd('resend', 'app', id)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^status 503/) as string,
  });
  expect((await askd('replay', 'app', '--since', '2999-01-01')).stdout).toBe('0 events to send.\n');
});

test('events lists them all, with their schemas for programs', async () => {
  const { stdout } = await runCli(['webhooks', 'events']);
  expect(stdout).toMatch(/^chat\.completed {2,}A chat completion finishes/m);
  const { events } = JSON.parse((await runCli(['webhooks', 'events', '--json'])).stdout) as {
    events: { type: string; body: object }[];
  };
  expect(events.map(({ type }) => type)).toHaveLength(10);
  expect(events[0]?.body).toMatchObject({ type: 'object', required: ['type', 'timestamp', 'data'] });
});

describe('listen', () => {
  test('prints verified events without any permission in the settings, and ends with the daemon', async () => {
    const { daemon, askd } = await commandLine({});
    const listening = startCli(['webhooks', 'listen', '--json'], { home: daemon.home });
    await eventually(() => listening.written().stderr).toContain('Listening for every event');
    await askd('trigger', 'chat.completed');
    await eventually(() => listening.screen()).toContain('\n');
    expect(JSON.parse(listening.screen())).toMatchObject({
      type: 'chat.completed',
      id: expect.stringMatching(/^evt_/) as string,
      verified: true,
      data: { test: true, model: 'svc-chat-v1' },
    });
    await daemon.call('POST', '/api/daemon/shutdown');
    expect(await listening.exit).toBe(6);
  });

  test('forwards events unchanged, and returns the answer', async () => {
    const app = await receiver();
    app.behaves(
      (_delivery, response) => void response.writeHead(app.deliveries.length === 1 ? 500 : 200).end(),
    );
    const { daemon, askd } = await commandLine({ ASKD_WEBHOOKS_RETRY_WAITS_MS: '20' });
    const secret = (await askd('listen', '--print-secret')).stdout.trim();
    const listening = startCli(
      ['webhooks', 'listen', '--events', 'api_key.deleted', '--forward-to', app.url],
      {
        home: daemon.home,
        terminal: false,
      },
    );
    await eventually(() => listening.written().stderr).toContain('Listening for api_key.deleted');
    await askd('trigger', 'chat.started');
    await askd('trigger', 'api_key.deleted');
    await eventually(() => app.deliveries.length).toBe(2);
    await eventually(() => listening.screen()).toMatch(
      /api_key\.deleted.*→ 500\n.*api_key\.deleted.*→ 200\n/,
    );
    const { Webhook } = await import('standardwebhooks');
    for (const { body, headers } of app.deliveries) new Webhook(secret).verify(body, headers);
    await daemon.call('POST', '/api/daemon/shutdown');
    await listening.exit;
  });
});
