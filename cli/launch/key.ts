import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './private-file.ts';
import type { Client as ApiClient } from '../client/client.ts';
import type { Client } from './client.ts';

type Kept = { id: string; key: string };

/** An API key for the client, visible and revocable by name; reused while it is valid. */
export async function keyFor(api: ApiClient, client: Client, folder: string): Promise<string> {
  const file = join(folder, `${client.name}.key.json`);
  const kept = readKept(file);
  if (kept !== undefined) {
    const keys = await api.listKeys();
    const isValid = keys.some(
      ({ id, is_active, expires_at }) => id === kept.id && is_active && !isPast(expires_at),
    );
    if (isValid) return kept.key;
    rmSync(file, { force: true });
  }
  const { id, key } = await api.createKey({ name: client.title, scopes: ['chat', 'read'] });
  replaceFile(file, JSON.stringify({ id, key }));
  return key;
}

function readKept(file: string): Kept | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    // A truncated file has no usable key: a new one is created.
    return undefined;
  }
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}
