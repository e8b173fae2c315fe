import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../../base/errors.ts';
import type { Cassette, Exchange } from './exchange.ts';
import { objectionToRule } from './rules.ts';

const VERSION = 1;

/** The exchanges start on the second line of the file, after its header. */
export const lineOf = (index: number): number => index + 2;

export function readCassette(file: string): Cassette {
  try {
    return parseCassette(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Failure('not_found', `There is no file ${file}.`, {
      details: { fix: `askd record ${file} -- COMMAND` },
      cause,
    });
  }
}

/** Replaced as a whole, so that readers never see half of it. */
export function writeCassette(file: string, { ignore, match, exchanges }: Cassette): void {
  const header = {
    cassette: VERSION,
    ...(ignore.length > 0 && { ignore }),
    ...(Object.keys(match).length > 0 && { match }),
  };
  const lines = [header, ...exchanges];
  const temporary = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(temporary, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function parseCassette(text: string, file: string): Cassette {
  const fail = (line: number, what: string) =>
    new Failure('cassette_invalid', `${file}, line ${line}: ${what}`);
  const [head = '', ...rest] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const header = parseLine(head) as { cassette?: unknown; ignore?: unknown; match?: unknown } | undefined;
  const version = header?.cassette;
  if (typeof version !== 'number') throw fail(1, 'It must be {"cassette":1}. askd record writes such files.');
  if (version !== VERSION) throw fail(1, `Version ${version} is not known to this askd. askd update`);
  const ignore = header?.ignore ?? [];
  if (!Array.isArray(ignore) || !ignore.every((each) => typeof each === 'string'))
    throw fail(1, '"ignore" must be a list of fields such as "body.user".');
  const match = header?.match ?? {};
  const objection = objectionToMatch(match);
  if (objection !== undefined) throw fail(1, objection);
  const exchanges = rest.map((line, index) => {
    const exchange = parseLine(line);
    const objection = exchange === undefined ? 'It is not JSON, or is truncated.' : objectionTo(exchange);
    if (objection !== undefined) throw fail(lineOf(index), objection);
    return exchange as Exchange;
  });
  return { ignore, match: match as Cassette['match'], exchanges };
}

function objectionToMatch(match: unknown): string | undefined {
  if (typeof match !== 'object' || match === null || Array.isArray(match))
    return '"match" must have a rule for each field.';
  return Object.entries(match)
    .map(([field, rule]) => objectionToRule(field, rule))
    .find((each) => each !== undefined);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return undefined;
  }
}

function objectionTo(exchange: unknown): string | undefined {
  const { request, response } = exchange as Partial<Exchange>;
  if (typeof request?.method !== 'string' || typeof request.path !== 'string')
    return '"request" must have a method and a path.';
  if (!Number.isInteger(response?.status) || typeof response?.headers !== 'object')
    return '"response" must have a status and headers.';
  const { status, ms, chunks } = response;
  if (status < 200 || status > 599) return '"status" must be a number from 200 to 599.';
  if (typeof ms !== 'number') return '"ms" must be a number.';
  const areChunks = chunks === undefined || (Array.isArray(chunks) && (chunks as unknown[]).every(isChunk));
  return areChunks ? undefined : 'Each of "chunks" must be a time and a text.';
}

function isChunk(chunk: unknown): boolean {
  return Array.isArray(chunk) && typeof chunk[0] === 'number' && typeof chunk[1] === 'string';
}
