import { describe, expect, test } from 'vitest';
import { openBrowserSession } from '../../../helpers/accounts/sessions.ts';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

describe('GET /api/usage/requests/{id}', () => {
  test('reports what the request of that answer used and cost', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two. Three.') });
    const answer = await daemon.chat({});
    const { usage } = answer.json<{ usage: Record<string, number> }>();
    const id = String(answer.headers['x-request-id']);
    const { balance } = (await daemon.call('GET', '/v1/wallet/balance')).json<{ balance: number }>();
    const reply = await daemon.call('GET', `/api/usage/requests/${id}`);
    expect(reply.json()).toMatchObject({
      ...{ request_id: id, task: 'chat', model: 'm', artifact: 'm', outcome: 'finished' },
      prompt_tokens: usage['prompt_tokens'],
      completion_tokens: usage['completion_tokens'],
      credits: Number((100 - balance).toFixed(9)),
    });
  });

  test('finds no unrecorded request, nor one of another account', async () => {
    const { services, call } = await startDaemon();
    services.store.prepare(REQUEST_OF_ANOTHER).run();
    for (const id of ['req_1', 'req_2', "' OR 1=1 --"]) {
      const reply = await call('GET', `/api/usage/requests/${encodeURIComponent(id)}`);
      expect([reply.status, reply.json<{ error: { code: string } }>().error.code]).toEqual([
        404,
        'not_found',
      ]);
    }
  });

  test('is open to a session, and to no key without the scope admin', async () => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    expect((await call('GET', '/api/usage/requests/req_1')).status).toBe(404);
    const reply = await daemon.call('GET', '/api/usage/requests/req_1', { token: daemon.key });
    expect(reply.status).toBe(403);
  });
});

describe('GET /api/usage', () => {
  test('shows the chats of a key, with the charges in the wallet', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two. Three.') });
    const { usage } = (await daemon.chat({})).json<{ usage: Record<string, number> }>();
    const [key] = (await daemon.call('GET', '/api/keys')).json<{ id: string }[]>();
    const reply = await daemon.call('GET', '/api/usage?bucket=all&group_by=key');
    const { balance } = (await daemon.call('GET', '/v1/wallet/balance')).json<{ balance: number }>();
    expect(reply.json()).toMatchObject({
      data: [
        {
          key: key?.id,
          requests: 1,
          failed_requests: 0,
          prompt_tokens: usage['prompt_tokens'],
          completion_tokens: usage['completion_tokens'],
          credits: Number((100 - balance).toFixed(9)),
        },
      ],
    });
  });

  test('is open to a session and to a key with the scope admin, and to no other key', async () => {
    const daemon = await startDaemon();
    const create = (scopes: string[]) =>
      daemon.services.keys.create({ accountId: 'acct_local', name: 'k', scopes, expiresAt: null }).key;
    const { call } = await openBrowserSession(daemon);
    expect((await call('GET', '/api/usage')).status).toBe(200);
    const status = async (token: string) => (await daemon.call('GET', '/api/usage', { token })).status;
    expect(await status(create(['admin']))).toBe(200);
    expect(await status(create(['chat', 'read', 'write']))).toBe(403);
  });

  test.each([
    ['bucket=week', 'bucket'],
    ['group_by=account', 'group_by'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01T00:00:00Z', 'to'],
    ["from=2026-01-01T00:00:00Z'%20OR%201=1--", 'from'],
    ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['from=2020-01-01T00:00:00Z&bucket=hour', 'from'],
    ['account_id=acct_other', 'account_id'],
  ])('refuses %s for its %s', async (query, param) => {
    const { call } = await startDaemon();
    const reply = await call('GET', `/api/usage?${query}`);
    expect([reply.status, reply.json<{ error: { param: string } }>().error.param]).toEqual([400, param]);
  });
});

const REQUEST_OF_ANOTHER = `
  INSERT INTO usage(id, account_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens, outcome,
    started_at, duration_ms)
  VALUES('req_2', 'acct_other', 'chat', 'm', 'm', 1, 0, 1, 'finished', 0, 1)`;
