import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../base/errors.ts';

/** Other servers that serve a model over OpenAI's API. The key leaves this process only in requests to them. */
export type Connection = {
  /** Each including `/v1`. */
  urls: readonly string[];
  /** The model's name there. */
  model: string;
  key?: string;
};

/**
 * Writes it to a file that only this user can read, under a new name each time, so that a change counts as a new
 * model file.
 */
export function writeConnection(folder: string, connection: Connection): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(connection), { mode: 0o600, flag: 'wx' });
  return path;
}

export function readConnection(path: string): Connection {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Connection;
  } catch (cause) {
    const message = `The connection in ${path} cannot be read. Add it again: askd upstream add`;
    throw new Failure('model_load_failed', message, { cause });
  }
}

/** Deletes the keys of models that are gone. */
export function removeConnectionsExcept(folder: string, kept: readonly string[]): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) if (!kept.includes(path)) rmSync(path, { force: true });
}
