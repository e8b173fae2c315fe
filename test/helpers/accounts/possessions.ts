import OpenAI from 'openai';
import { chats, createBatch, linesOf, overOf } from '../daemon/batches.ts';
import type { ChatDaemon } from '../daemon/chat.ts';
import { receiver } from '../servers/webhooks.ts';
import type { OtherAccount } from './other-accounts.ts';

type Possessions = Record<string, Record<string, string>>;

/** One of everything that an account can have, as path parameters by kind. */
export async function possessionsOf(
  daemon: Pick<ChatDaemon, 'baseURL'>,
  owner: OtherAccount,
): Promise<Possessions> {
  const sdk = new OpenAI({ apiKey: owner.key, baseURL: daemon.baseURL, maxRetries: 0 });
  const idOf = (reply: { json: <T>() => T }) => reply.json<{ id: string }>().id;
  const key = await owner.asOwner('POST', '/api/keys', { body: { name: 'tested', test: true } });
  const rule = { route: 'POST /v1/chat/completions', status: 500 };
  const simulation = await owner.asOwner('POST', `/api/keys/${idOf(key)}/simulations`, { body: rule });
  const hook = { name: 'hook', url: (await receiver()).url, events: ['chat.completed'] };
  const { webhook } = (await owner.asOwner('POST', '/api/webhooks', { body: hook })).json<{
    webhook: { id: string };
  }>();
  const batch = await createBatch(sdk, linesOf(chats(1, { model: 'scripted' })));
  const tested = await owner.asOwner('POST', `/api/webhooks/${webhook.id}/test`);
  const response = await sdk.responses.create({ model: 'scripted', input: 'hello' });
  const conversation = await sdk.conversations.create({
    items: [{ type: 'message', role: 'user', content: 'hello' }],
  });
  const [item] = (await sdk.conversations.items.list(conversation.id)).data;
  const store = await sdk.vectorStores.create({ name: 'store', file_ids: [batch.input_file_id] });
  const storeBatch = await sdk.vectorStores.fileBatches.create(store.id, { file_ids: [batch.input_file_id] });
  // The scripted model's answers do not make a run succeed; the run is stored all the same.
  await owner.byKey('POST', '/v1/agent/run', { body: { query: 'hello' } });
  const listed = await owner.byKey('GET', '/v1/agent/runs');
  const [run] = listed.json<{ data: { id: string; session_id: string }[] }>().data;
  const chat = await sdk.chat.completions
    .create({ model: 'scripted', messages: [{ role: 'user', content: 'hello' }] })
    .withResponse();
  await owner.asOwner('POST', '/api/account/members', { body: { name: 'somebody', role: 'member' } });
  const session = (await owner.asOwner('POST', '/api/sessions')).json<{ id: string }>();
  const draft = { name: 'trip', model: 'm', messages: [{ id: 'a', role: 'user', content: 'hello' }] };
  const saved = await owner.byKey('POST', '/api/daemon/chats', { body: draft });
  const event = tested.json<{ delivery: { event_id: string } }>().delivery.event_id;
  return {
    key: { id: idOf(key), simulation_id: idOf(simulation) },
    member: { name: 'somebody' },
    session: { id: session.id },
    webhook: { id: webhook.id, event_id: event },
    usage: { id: chat.response.headers.get('x-request-id') ?? '' },
    batch: { id: batch.id, batch_id: (await overOf(sdk, batch.id)).id },
    file: { file_id: batch.input_file_id },
    store: { id: store.id, file_id: batch.input_file_id, batch_id: storeBatch.id },
    conversation: { id: conversation.id, item_id: item?.id ?? '' },
    response: { id: response.id, item_id: response.output[0]?.id ?? '' },
    run: { id: run?.id ?? '' },
    agentSession: { id: run?.session_id ?? '' },
    chat: { chat: idOf(saved) },
  };
}
