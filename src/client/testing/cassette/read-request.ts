import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../../base/errors.ts';
import type { FormValue, RecordedRequest } from './exchange.ts';
import type { Redactor } from './redact.ts';

export const BYTES_MAX = 64 * 1024 * 1024;

/** The headers that change the answer. */
const COMPARED_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta', 'x-askd-simulate'];

export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    // A body that is too large is read to its end, so that the client can read the error.
    if (bytes <= bytesMax) parts.push(part);
  }
  if (bytes <= bytesMax) return Buffer.concat(parts);
  throw new Failure(
    'request_too_large',
    `A recorded request may have at most ${bytesMax} bytes, not ${bytes}.`,
  );
}

export type Sent = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

export function describeRequest(
  { method = 'GET', url = '/', headers }: Sent,
  body: Buffer,
  redactor: Redactor,
) {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const query: Record<string, string[]> = {};
  for (const [name, value] of [...searchParams].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    (query[name] ??= []).push(redactor.parameter(name, value));
  const compared = COMPARED_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, redactor.text(String(value))] as const];
  });
  return {
    method,
    path: redactor.text(pathname),
    ...(Object.keys(query).length > 0 && { query }),
    ...(compared.length > 0 && { headers: Object.fromEntries(compared) }),
    ...contentOf(body, headers['content-type'] ?? '', redactor),
  } satisfies RecordedRequest;
}

function contentOf(body: Buffer, type: string, redactor: Redactor): Partial<RecordedRequest> {
  if (body.length === 0) return {};
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(type)?.[1];
  const form = boundary === undefined ? undefined : formOf(body, boundary, redactor);
  if (form !== undefined) return { form };
  if (!isUtf8(body)) return { base64: redactor.bytes(body).toString('base64') };
  const text = redactor.text(body.toString('utf8'));
  const json = parse(text);
  return json === undefined ? { text } : { body: json };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without the boundary, which differs each time. */
function formOf(body: Buffer, boundary: string, redactor: Redactor): Record<string, FormValue[]> | undefined {
  const form: Record<string, FormValue[]> = {};
  const raw = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1, -1);
  for (const part of raw) {
    const end = part.indexOf('\r\n\r\n');
    const head = Buffer.from(part.slice(0, Math.max(0, end)), 'latin1').toString('utf8');
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (end < 0 || name === undefined) return undefined;
    const content = Buffer.from(part.slice(end + 4), 'latin1');
    const file = /;\s*filename="([^"]*)"/i.exec(head)?.[1];
    (form[redactor.text(name)] ??= []).push(
      file === undefined ? redactor.text(content.toString('utf8')) : fileOf(redactor.text(file), content),
    );
  }
  return form;
}

function fileOf(file: string, content: Buffer): FormValue {
  return { file, sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}
