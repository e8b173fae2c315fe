import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { BusboyHeaders } from '@fastify/busboy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, toFailure } from '../../src/base/errors.ts';
import { newId } from '../../src/base/ids.ts';
import type { Texts } from './query.ts';

export type Uploads = { folder: string; bytesMax: number };

/** For a whole form. */
export const formBytesMax = ({ bytesMax }: Pick<Uploads, 'bytesMax'>) => bytesMax + REST_BYTES_MAX;

/** What a form may contain besides its file. */
const REST_BYTES_MAX = 1024 * 1024;
const FIELDS_MAX = 50;

const NO_FILE = '"file" must be a file, not text. With curl: -F file=@talk.mp3';

type Uploaded = { path: string; name: string; bytes: number };

/** Parses multipart forms: the file is written to disk as it arrives, up to the limit. */
export function readForms(app: FastifyInstance, uploads: Uploads): void {
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    // If there is no such route, that error is the better one.
    if (request.is404) return undefined;
    if (!request.routeOptions.config.isForm) throw wrongType('JSON');
    const sum = request.headers['idempotency-key'] === undefined ? undefined : createHash('sha256');
    const form = await readForm(request, payload, { ...uploads, sum });
    if (sum) request.bodyHash = sum.digest();
    return form;
  });
}

/** Rejects a Content-Length that is too large before a byte is read, and deletes uploads after the answer. */
export function expectForm(request: FastifyRequest, reply: FastifyReply, { bytesMax }: Uploads): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > formBytesMax({ bytesMax })) throw tooLarge(bytesMax);
  if (!(request.headers['content-type'] ?? '').startsWith('multipart/form-data')) throw wrongType('a form');
  reply.raw.once('close', () => {
    for (const path of request.uploaded ?? []) void rm(path, { force: true });
  });
}

/** Deletes what a killed daemon left behind. */
export async function clearUploads({ folder }: Pick<Uploads, 'folder'>): Promise<void> {
  const left = await readdir(folder).catch(() => []);
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

type Reading = Uploads & { sum: Hash | undefined };
type Form = Record<string, string | string[] | Uploaded>;

async function readForm(request: FastifyRequest, payload: Readable, reading: Reading): Promise<Form> {
  const { folder, sum } = reading;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fields: Texts = {};
  const files: Promise<Uploaded>[] = [];
  const busboy = await open(request);
  const fail = (failure: Failure) => busboy.destroy(failure);
  busboy.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut)
      return fail(new Failure('invalid_value', `The field "${name}" is too long.`));
    if (name === 'file') return fail(new Failure('invalid_value', NO_FILE, { param: 'file' }));
    sum?.update(`${name}\0${value}\0`);
    addField(fields, name.replace(/\[\]$/, ''), value);
  });
  busboy.on('fieldsLimit', () => fail(new Failure('invalid_value', 'The form has too many fields.')));
  busboy.on('file', (name, stream, filename) => {
    const problem = problemWith(name, files.length);
    if (problem) return fail(problem);
    sum?.update(`${name}\0`);
    const path = join(folder, newId('upl'));
    (request.uploaded ??= []).push(path);
    const keeping = keep(stream, path, reading).then((bytes) => ({ path, name: filename ?? '', bytes }));
    keeping.catch(fail);
    files.push(keeping);
  });
  payload.pipe(busboy);
  const cut = () => busboy.destroy(new Failure('client_disconnected', 'The upload was interrupted.'));
  request.raw.once('close', () => request.raw.complete || cut());
  // It may have ended while the parser was loading.
  if (request.raw.destroyed && !request.raw.complete) cut();
  try {
    await finished(busboy);
    const [file] = await Promise.all(files);
    return { ...fields, ...(file && { file }) };
  } catch (cause) {
    payload.unpipe(busboy);
    const failure = toFailure(cause);
    if (failure.code !== 'internal_error') throw failure;
    throw new Failure('invalid_value', `The form is not valid: ${(cause as Error).message}.`, { cause });
  }
}

async function open(request: FastifyRequest) {
  const { Busboy } = await import('@fastify/busboy');
  try {
    const limits = { fieldSize: REST_BYTES_MAX, fields: FIELDS_MAX, headerPairs: 20 };
    return new Busboy({ headers: request.headers as BusboyHeaders, limits });
  } catch (cause) {
    throw new Failure('invalid_value', `The form is not valid: ${(cause as Error).message}.`, { cause });
  }
}

async function keep(stream: Readable, path: string, { bytesMax, sum }: Reading): Promise<number> {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) return done(tooLarge(bytesMax));
      sum?.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(stream, counted, createWriteStream(path, { mode: 0o600 }));
  return bytes;
}

function addField(fields: Texts, name: string, value: string): void {
  const earlier = fields[name];
  fields[name] = earlier === undefined ? value : [earlier, value].flat();
}

function problemWith(name: string, earlier: number): Failure | undefined {
  if (name !== 'file') {
    const message = `The form has a file in "${name}". Send it as "file".`;
    return new Failure('unsupported_parameter', message, { param: name });
  }
  if (earlier === 0) return undefined;
  return new Failure('invalid_value', 'The form has more than one file. Send one at a time.', {
    param: 'file',
  });
}

function tooLarge(bytesMax: number): Failure {
  const megabytes = Math.floor(bytesMax / 1024 / 1024);
  const message = `The file is larger than ${bytesMax} bytes (${megabytes} MiB, audio_bytes_max). Compress it, or split it.`;
  return new Failure('request_too_large', message, { param: 'file' });
}

function wrongType(wanted: 'JSON' | 'a form'): Failure {
  const type = wanted === 'JSON' ? 'application/json' : 'multipart/form-data';
  return new Failure('unsupported_media_type', `The body must be ${wanted}. Send it as ${type}.`);
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyContextConfig {
    isForm?: boolean;
  }
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** The uploaded files, deleted with the request. */
    uploaded?: string[];
  }
}
