import type { PlaygroundKey } from '../../../../src/api/account/sessions.ts';
import { call, reach } from './api.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** A new key is requested this long before the old one expires. */
const MARGIN_MS = 60_000;

let current: Promise<PlaygroundKey> | undefined;

/** The cookie does not open inference, so requests of the playground carry a key that ends with the session. */
async function key(): Promise<PlaygroundKey> {
  const known = await current?.catch(() => undefined);
  if (known && Date.parse(known.expires_at) - MARGIN_MS > Date.now()) return known;
  current = call<PlaygroundKey>('POST', '/api/sessions/current/key');
  return current;
}

/** The body is sent as JSON, or as a form with its files. */
export async function infer(path: string, body: object | FormData, signal?: AbortSignal): Promise<Response> {
  const isForm = body instanceof FormData;
  return send(path, {
    method: 'POST',
    ...(!isForm && { headers: { 'content-type': 'application/json' } }),
    body: isForm ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

type Getting = { headers?: Readonly<Record<string, string>>; signal: AbortSignal };

export function inferGet(path: string, { headers = {}, signal }: Getting): Promise<Response> {
  return send(path, { method: 'GET', headers, signal });
}

/** Requests that need a key but are not inference. */
export async function ask<Answer>(method: Method, path: string): Promise<Answer> {
  return (await (await send(path, { method })).json()) as Answer;
}

type Sending = Omit<RequestInit, 'headers'> & { headers?: Readonly<Record<string, string>> };

async function send(path: string, { headers, ...init }: Sending): Promise<Response> {
  const { key: secret } = await key();
  return reach(path, {
    ...init,
    headers: { ...headers, authorization: `Bearer ${secret}` },
    cache: 'no-store',
    credentials: 'omit',
  });
}

export async function* readEvents(response: Response): AsyncGenerator<string> {
  const { body } = response;
  if (body === null) return;
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}
