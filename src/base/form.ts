import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** `name` is the filename sent to the server; the path's base name if absent. */
export type Form = {
  file: string;
  name?: string;
  fields: Readonly<Record<string, string | readonly string[]>>;
};

/** The body of a request. */
export type Payload = { type: string; length: number; chunks: AsyncIterable<Buffer> | Iterable<Buffer> };

export function jsonPayload(body: unknown): Payload {
  const bytes = Buffer.from(JSON.stringify(body));
  return { type: 'application/json', length: bytes.length, chunks: [bytes] };
}

/** A multipart form whose file is read while it is sent. */
export async function formPayload({ file, name: called = basename(file), fields }: Form): Promise<Payload> {
  const boundary = `askd-${randomBytes(16).toString('hex')}`;
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const entries = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  const texts = entries.map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const name = called.replace(/["\r\n]/g, '_');
  const fileHead = `${part(`name="file"; filename="${name}"`)}content-type: application/octet-stream\r\n\r\n`;
  const head = Buffer.from(texts.join('') + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { size } = await stat(file);

  async function* chunks(): AsyncGenerator<Buffer> {
    yield head;
    if (size > 0) for await (const chunk of createReadStream(file, { end: size - 1 })) yield chunk as Buffer;
    yield tail;
  }

  const type = `multipart/form-data; boundary=${boundary}`;
  return { type, length: head.length + size + tail.length, chunks: chunks() };
}
