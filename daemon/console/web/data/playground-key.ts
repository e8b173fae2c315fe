import type { PlaygroundKey } from '../../../../src/api/account/sessions.ts';
import { call, reach } from './api.ts';

/** A new key is asked for this long before the old one ends. */
const MARGIN_MS = 60_000;

let current: Promise<PlaygroundKey> | undefined;

/** The cookie opens no inference, so requests of the playground carry a key that ends with the session. */
async function key(): Promise<PlaygroundKey> {
  const known = await current?.catch(() => undefined);
  if (known && Date.parse(known.expires_at) - MARGIN_MS > Date.now()) return known;
  current = call<PlaygroundKey>('POST', '/api/sessions/current/key');
  return current;
}

/** The body goes as JSON, or as a form with its files. */
export async function infer(path: string, body: object | FormData, signal?: AbortSignal): Promise<Response> {
  const isForm = body instanceof FormData;
  const { key: secret } = await key();
  return reach(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
    credentials: 'omit',
    ...(signal && { signal }),
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
