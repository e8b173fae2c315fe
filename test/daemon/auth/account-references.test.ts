import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount, type OtherAccount } from '../../helpers/accounts/other-accounts.ts';
import { possessionsOf } from '../../helpers/accounts/possessions.ts';
import { openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { removeHome } from '../../helpers/temporary.ts';

const folder = mkdtempSync(join(tmpdir(), 'askd-test-'));
let daemon: ChatDaemon;
let acme: OtherAccount;
let rival: OtherAccount;

beforeAll(async () => {
  const script = join(folder, 'answers.json');
  writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'Done.' } }] }));
  const env = { ASKD_SCRIPTED_ANSWERS: script, ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };
  daemon = await openDaemonWith({}, env);
  daemon.services.library.bind('svc-chat-v1', 'scripted');
  acme = await openAccount(daemon, 'acme');
  rival = await openAccount(daemon, 'rival');
}, 120_000);
afterAll(async () => {
  await daemon.close();
  removeHome(folder);
});

type Owned = Awaited<ReturnType<typeof possessionsOf>>;
type Asked = { path: string; body: unknown };

/** Requests that refer to something of the account inside their body. */
const NAMING: Readonly<Record<string, (owned: Owned) => Asked>> = {
  'an earlier response': ({ response }) => ({
    path: '/v1/responses',
    body: { model: 'scripted', input: 'hello', previous_response_id: response?.['id'] },
  }),
  'an item of a response': ({ response }) => ({
    path: '/v1/responses',
    body: { model: 'scripted', input: [{ type: 'item_reference', id: response?.['item_id'] }] },
  }),
  'a conversation': ({ conversation }) => ({
    path: '/v1/responses',
    body: { model: 'scripted', input: 'hello', conversation: conversation?.['id'] },
  }),
  'a vector store to search': ({ store }) => ({
    path: '/v1/responses',
    body: {
      model: 'scripted',
      input: 'hello',
      tools: [{ type: 'file_search', vector_store_ids: [store?.['id']] }],
    },
  }),
  'a file for a vector store': ({ file }) => ({
    path: '/v1/vector_stores',
    body: { name: 'theirs', file_ids: [file?.['file_id']] },
  }),
  'the input of a batch': ({ file }) => ({
    path: '/v1/batches',
    body: {
      input_file_id: file?.['file_id'],
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    },
  }),
  'a session of the agent': ({ agentSession }) => ({
    path: '/v1/agent/run',
    body: { query: 'hello', session_id: agentSession?.['id'], background: true },
  }),
};

test(
  "a request that names an object of another account finds nothing, and the account's own request does",
  { timeout: 120_000 },
  async () => {
    const owned = await possessionsOf(daemon, acme);
    const found: Record<string, [rival: number, own: number]> = {};
    for (const [what, ask] of Object.entries(NAMING)) {
      const { path, body } = ask(owned);
      const theirs = await rival.byKey('POST', path, { body });
      const own = await acme.byKey('POST', path, { body });
      found[what] = [theirs.status, own.status];
    }
    const wanted = Object.keys(NAMING).map((what) => [what, [404, 200]]);
    expect(found).toEqual(Object.fromEntries(wanted));
  },
);

test('an Idempotency-Key of one account gives another account no answer', async () => {
  const headers = { 'idempotency-key': 'the-same-for-both' };
  const body = { name: 'store' };
  const idOf = async ({ byKey }: OtherAccount) =>
    (await byKey('POST', '/v1/vector_stores', { body, headers })).json<{ id: string }>().id;
  const first = await idOf(acme);
  expect(await idOf(acme)).toBe(first);
  expect(await idOf(rival)).not.toBe(first);
});

test('only its own account can watch an agent run', async () => {
  const { run } = await possessionsOf(daemon, acme);
  const path = `/v1/agent/stream?run=${run?.['id'] ?? ''}`;
  expect((await rival.byKey('GET', path)).status).toBe(404);
  expect((await acme.byKey('GET', path)).status).toBe(200);
});
