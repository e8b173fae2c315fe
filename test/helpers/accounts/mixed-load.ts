import { request, type Dispatcher } from 'undici';
import type { Killable } from '../daemon/killable-daemon.ts';

/** What clients received, over all restarts of the daemon. */
export type Seen = {
  /** Answers that arrived completely, by the number of their request. */
  whole: Map<string, { prompt_tokens: number; completion_tokens: number }>;
  /** Requests with an Idempotency-Key: the answer, once there is one. */
  keyed: Map<string, string | undefined>;
  /** Keys to be created, by name: the id, once it is known. */
  created: Map<string, string | undefined>;
};

type Load = { daemon: Killable; apiKey: string; keyedApiKey: string; seen: Seen; signal: AbortSignal };

const messages = [{ role: 'user', content: 'hello' }];

/** All kinds of requests at once, repeated until the daemon is gone. */
export async function mixedLoad(load: Load): Promise<void> {
  const kinds = [wholeAnswers, streams, leavingClients, keyedAnswers, keyCreations];
  await Promise.all(kinds.map((kind) => untilGone(() => kind(load), load.signal)));
}

/** Only requests without an answer, until they have one. */
export async function finishKeyed(load: Load): Promise<void> {
  const isWaiting = (answers: Map<string, string | undefined>) => [...answers.values()].includes(undefined);
  while (isWaiting(load.seen.keyed)) await keyedAnswers(load);
  while (isWaiting(load.seen.created)) await keyCreations(load);
}

async function untilGone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await work();
    } catch (error) {
      // A killed daemon breaks connections; a refusal would be a finding.
      if (error instanceof Refused || !signal.aborted) throw error;
      return;
    }
    if (signal.aborted) return;
  }
}

class Refused extends Error {}

async function post(
  { daemon, signal }: Load,
  { path = '/v1/chat/completions', token, body, key, client }: Post,
) {
  let response: Dispatcher.ResponseData;
  try {
    response = await request(`${daemon.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
      ...(client && { signal: client }),
    });
  } catch (error) {
    // The connection may break before kill() returns.
    if (!signal.aborted && !client?.aborted) await orAborted(signal);
    throw error;
  }
  if (response.statusCode < 300) return response;
  throw new Refused(`${path}: ${response.statusCode} ${await response.body.text()}`);
}

type Post = { path?: string; token: string; body: unknown; key?: string; client?: AbortSignal };

function orAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function readText(response: Dispatcher.ResponseData, { signal }: Load): Promise<string> {
  try {
    return await response.body.text();
  } catch (error) {
    if (!signal.aborted) await orAborted(signal);
    throw error;
  }
}

type Usage = { prompt_tokens: number; completion_tokens: number };

async function wholeAnswers(load: Load): Promise<void> {
  const response = await post(load, { token: load.apiKey, body: { model: 'short', messages } });
  const { usage } = JSON.parse(await readText(response, load)) as { usage: Usage };
  load.seen.whole.set(String(response.headers['x-request-id']), usage);
}

async function streams(load: Load): Promise<void> {
  const body = {
    model: 'endless',
    messages,
    max_tokens: 40,
    stream: true,
    stream_options: { include_usage: true },
  };
  const response = await post(load, { token: load.apiKey, body });
  const text = await readText(response, load);
  const blocks = text.split('\n\n').filter((block) => block.startsWith('data: '));
  if (blocks.at(-1) !== 'data: [DONE]') throw new Error(`A stream ended without its end: ${blocks.at(-1)}`);
  const { usage } = JSON.parse(blocks.at(-2)?.slice(6) ?? '') as { usage: Usage };
  load.seen.whole.set(String(response.headers['x-request-id']), usage);
}

async function leavingClients(load: Load): Promise<void> {
  const client = new AbortController();
  const body = { model: 'endless', messages, max_tokens: 4000, stream: true };
  const response = await post(load, { token: load.apiKey, body, client: client.signal });
  let bytes = 0;
  try {
    for await (const chunk of response.body) if ((bytes += (chunk as Buffer).length) > 600) break;
  } catch (error) {
    if (!load.signal.aborted) await orAborted(load.signal);
    throw error;
  } finally {
    client.abort();
  }
}

/** Unanswered requests are sent again, with the same key. */
async function keyedAnswers(load: Load): Promise<void> {
  const { keyed } = load.seen;
  const waiting = [...keyed].find(([, answer]) => answer === undefined)?.[0];
  const key = waiting ?? `answer-${keyed.size}`;
  keyed.set(key, undefined);
  const response = await post(load, { token: load.keyedApiKey, body: { model: 'short', messages }, key });
  keyed.set(key, await readText(response, load));
}

async function keyCreations(load: Load): Promise<void> {
  const { created } = load.seen;
  const waiting = [...created].find(([, id]) => id === undefined)?.[0];
  const name = waiting ?? `made-${created.size}`;
  created.set(name, undefined);
  const request = { path: '/api/keys', token: load.daemon.rootToken, body: { name }, key: `create-${name}` };
  const response = await post(load, request);
  const { id } = JSON.parse(await readText(response, load)) as { id: string };
  created.set(name, id);
  await deleteKey(load, id);
}

/** If it was deleted in an earlier life, that is just as good. */
async function deleteKey({ daemon, signal }: Load, id: string): Promise<void> {
  try {
    await daemon.control('DELETE', `/api/keys/${id}`);
  } catch (error) {
    if (String(error).includes('404')) return;
    if (!signal.aborted) await orAborted(signal);
    throw error;
  }
}
