import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../base/ids.ts';
import type { Chats } from './chats.ts';
import { nameFrom, textOf, type Message } from './message.ts';

type File = { model: string; system?: string; messages: Message[] };

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * Conversations used to be files of the command line. Each becomes a row, and its file is deleted once the database
 * has it. Files that cannot be read stay where they are; returns their paths.
 */
export function takeOverChats(chats: Chats, folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.flatMap((file) => {
    const path = join(folder, file);
    const saved = read(path);
    if (saved === undefined) return [path];
    takeOver(chats, { path, name: file.slice(0, -'.json'.length), saved });
    rmSync(path);
    return [];
  });
}

function takeOver(chats: Chats, { path, name, saved }: { path: string; name: string; saved: File }): void {
  const { birthtimeMs, mtimeMs } = statSync(path);
  const usable = NAME.test(name) ? name : nameFrom(name);
  const there = find(chats, usable);
  // A crash between the row and the file, or a backup restored twice, leaves a file that is already here.
  if (there && isSame(there.messages, saved.messages)) return;
  const { model, system, messages } = saved;
  chats.create({
    name: there ? chats.freeName(usable) : usable,
    model,
    ...(system !== undefined && system !== '' && { system }),
    messages: chained(messages),
    createdAtMs: Math.round(birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs),
    changedAtMs: Math.round(mtimeMs),
  });
}

function find(chats: Chats, name: string) {
  try {
    return chats.read(name);
  } catch {
    return undefined;
  }
}

function isSame(kept: readonly Message[], read: readonly Message[]): boolean {
  const plain = (messages: readonly Message[]) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return plain(kept) === plain(read);
}

/** Each message follows the one before it. */
function chained(messages: readonly Message[]): Message[] {
  const ids = messages.map(() => newId('msg'));
  return messages.map((message, index) => {
    const parent = ids[index - 1];
    return { ...message, id: ids[index] ?? '', ...(parent !== undefined && { parent }) };
  });
}

function read(path: string): File | undefined {
  try {
    const { model, system, messages } = JSON.parse(readFileSync(path, 'utf8')) as Partial<File>;
    if (typeof model !== 'string' || model === '' || !Array.isArray(messages)) return undefined;
    if (system !== undefined && typeof system !== 'string') return undefined;
    if (!messages.every(isMessage)) return undefined;
    return { model, ...(system !== undefined && { system }), messages };
  } catch {
    return undefined;
  }
}

function isMessage(message: unknown): message is Message {
  const { role, content } = (message ?? {}) as Partial<Message>;
  if (typeof role !== 'string' || (typeof content !== 'string' && !Array.isArray(content))) return false;
  return typeof textOf({ content }) === 'string';
}
