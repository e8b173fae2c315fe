import OpenAI, { toFile } from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { install } from '../helpers/daemon/installation.ts';

const ATTEMPTS = 20;
const audio = new Uint8Array(5_000_000);

let baseURL: string;
let apiKey: string;
beforeEach(async () => {
  const { askd } = install({ ASKD_AUDIO_BYTES_MAX: '10000000' });
  baseURL = (await askd(['up', '--json'])).json<{ base_url: string }>().base_url;
  apiKey = (await askd(['keys', 'create', '--name', 'test', '--json'])).json<{ key: string }>().key;
});

function form(fields: Record<string, string> = {}): FormData {
  const filled = new FormData();
  for (const [name, value] of Object.entries(fields)) filled.set(name, value);
  filled.set('file', new Blob([audio]), 'speech.wav');
  return filled;
}

function post(path: string, body: FormData | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${apiKey}`;
  return fetch(`${baseURL}${path}`, { method: 'POST', headers: { authorization, ...headers }, body });
}

/** Counts the answers to clients that all send at once. */
async function answersTo(attempt: () => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const attempts = Array.from({ length: ATTEMPTS }, async () => {
    const answer = await attempt().catch((error: Error) => `${error.message}: ${String(error.cause)}`);
    counts[answer] = (counts[answer] ?? 0) + 1;
  });
  await Promise.all(attempts);
  return counts;
}

async function textOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

describe('a body that is refused is read to its end first, so that its sender reads the answer', () => {
  test.each([
    ['/chat/completions', '415 unsupported_media_type'],
    ['/nothing', '404 not_found'],
    ['/models', '405 method_not_allowed'],
  ])('a form at %s', async (path, answer) => {
    const answers = await answersTo(async () => textOf(await post(path, form())));
    expect(answers).toEqual({ [answer]: ATTEMPTS });
  });

  test('a form with a field that is wrong, before its file', async () => {
    const fields = { model: 'x'.repeat(2_000_000) };
    const answers = await answersTo(async () => textOf(await post('/audio/transcriptions', form(fields))));
    expect(answers).toEqual({ '400 invalid_value': ATTEMPTS });
  });

  test('a body of an unknown type', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const answers = await answersTo(async () => textOf(await post('/chat/completions', audio, headers)));
    expect(answers).toEqual({ '415 unsupported_media_type': ATTEMPTS });
  });

  test('an upload of the official client to a route that does not exist', async () => {
    const sdk = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const answers = await answersTo(async () => {
      const data = await toFile(audio, 'lines.jsonl');
      return sdk.uploads.parts.create('upload_1', { data }).then(
        () => 'taken',
        (error: unknown) => (error as Error).constructor.name,
      );
    });
    expect(answers).toEqual({ NotFoundError: ATTEMPTS });
  });

  test('and its connection stays open', async () => {
    const first = await post('/chat/completions', form());
    expect(first.status).toBe(415);
    expect(first.headers.get('connection')).not.toBe('close');
  });
});

test('a body larger than the maximum is answered without reading all of it', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += audio.length;
      controller.enqueue(audio);
    },
  });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' };
  const reply = await fetch(`${baseURL}/nothing`, { method: 'POST', headers, body: endless, duplex: 'half' });
  expect(reply.status).toBe(404);
  expect(sent).toBeLessThan(200_000_000);
});
