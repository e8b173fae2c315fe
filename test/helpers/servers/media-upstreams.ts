import { expect } from 'vitest';
import { daemonWith, type ChatDaemon } from '../daemon/chat.ts';

export type Daemon = Pick<ChatDaemon, 'baseURL' | 'key' | 'call' | 'services'>;
export type Task = 'transcribe' | 'speak' | 'draw';

/** Serves `m` from these servers. */
export async function addUpstream(
  front: Daemon,
  baseUrls: string[],
  task: Task,
  rest: Record<string, unknown> = {},
) {
  const body = { id: 'm', base_urls: baseUrls, model: 'm', tasks: [task], ...rest };
  expect((await front.call('POST', '/api/daemon/upstreams', { body })).status).toBe(201);
}

export async function inFrontOf(baseUrls: string[], task: Task) {
  const front = await daemonWith({});
  await addUpstream(front, baseUrls, task);
  return front;
}

export function post({ baseURL, key }: Daemon, path: string, body: FormData | object, signal?: AbortSignal) {
  const isForm = body instanceof FormData;
  return fetch(baseURL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

export function upload(file: Buffer, fields: Record<string, string | string[]> = {}): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'speech');
  for (const [field, value] of Object.entries({ model: 'm', ...fields })) {
    for (const each of [value].flat()) form.append(field, each);
  }
  return form;
}

export const transcribe = (
  daemon: Daemon,
  file: Buffer,
  fields?: Record<string, string | string[]>,
  path = '/audio/transcriptions',
) => post(daemon, path, upload(file, fields));
export const say = (daemon: Daemon, body: object, signal?: AbortSignal) =>
  post(daemon, '/audio/speech', { model: 'm', input: 'Hello world', ...body }, signal);
export const draw = (daemon: Daemon, body: object = {}) =>
  post(daemon, '/images/generations', {
    model: 'm',
    prompt: 'a cat',
    seed: 1,
    response_format: 'b64_json',
    ...body,
  });
export const bytesOf = async (reply: Response | Promise<Response>) =>
  Buffer.from(await (await reply).arrayBuffer());
export const refusalOf = async (reply: Response | Promise<Response>) => {
  const answered = await reply;
  const { error } = (await answered.json()) as {
    error: { code: string; message: string; param: string | null };
  };
  return { status: answered.status, ...error };
};
export async function bytesOfPicture(reply: Promise<Response>): Promise<Buffer> {
  const { data } = (await (await reply).json()) as { data: { b64_json: string }[] };
  return Buffer.from(data[0]?.b64_json ?? '', 'base64');
}
