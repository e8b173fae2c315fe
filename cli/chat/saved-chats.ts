import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { Failure } from '../../src/base/errors.ts';
import { makeHomeFolder } from '../../src/base/make-folder.ts';
import { formatCount } from '../output/format.ts';

type Talk = { options: { model: string; system?: string }; messages: ChatMessage[]; folder: string };
export type SavedChat = { model: string; system?: string; messages: ChatMessage[] };
export type ChatSummary = { name: string; model: string; messages: number; changed_at: string };

/** The name of the last unnamed conversation. */
export const LAST = 'last';

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const SAY_NAME = 'A name may contain letters, digits, dots and dashes: /save holiday-plans';

export function isChatName(name: string): boolean {
  return NAME.test(name);
}

/** Saved atomically, in a file that only its owner can read. */
export function keepChat({ options: { model, system }, messages, folder }: Talk, name: string): void {
  const saved: SavedChat = { model, ...(system !== undefined && { system }), messages };
  makeHomeFolder(folder);
  const path = join(folder, `${name}.json`);
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(saved), { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
}

/** For `/save`. Returns what to print. */
export function saveChat(talk: Talk, name: string): string {
  if (!isChatName(name)) return SAY_NAME;
  keepChat(talk, name);
  return `Saved as ${name}. To continue it later: /load ${name}, or askd chat --session ${name}`;
}

/** For `/load`. */
export function loadChat(talk: Talk, name: string): string {
  if (name === '') return describeChats(talk.folder);
  if (!isKept(talk.folder, name))
    return `There is no conversation named ${name}. ${describeChats(talk.folder)}`;
  try {
    restoreChat(talk, name);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return `${name}: ${formatCount(talk.messages.length, 'message')} with ${talk.options.model}.`;
}

export function isKept(folder: string, name: string): boolean {
  return isChatName(name) && existsSync(join(folder, `${name}.json`));
}

/** Continues a saved conversation. */
export function restoreChat(talk: Talk, name: string): void {
  const { model, system, messages } = readChat(talk.folder, name);
  talk.options.model = model;
  delete talk.options.system;
  if (system !== undefined) talk.options.system = system;
  talk.messages.splice(0, talk.messages.length, ...messages);
}

/** All saved conversations, most recent first. */
export function listChats(folder: string): ChatSummary[] {
  const found = chatNames(folder).flatMap((name) => {
    const saved = read(folder, name);
    const { mtime } = statSync(join(folder, `${name}.json`));
    return saved
      ? [{ name, model: saved.model, messages: saved.messages.length, changed_at: mtime.toISOString() }]
      : [];
  });
  return found.sort((a, b) => b.changed_at.localeCompare(a.changed_at));
}

export function readChat(folder: string, name: string): SavedChat {
  if (!isKept(folder, name)) throw unknownChat(name);
  const saved = read(folder, name);
  if (saved) return saved;
  throw new Failure('invalid_value', `${join(folder, `${name}.json`)} is damaged.`, {
    details: { fix: `askd chats rm ${name}` },
  });
}

export function removeChat(folder: string, name: string): void {
  if (!isKept(folder, name)) throw unknownChat(name);
  rmSync(join(folder, `${name}.json`));
}

function unknownChat(name: string): Failure {
  return new Failure('not_found', `There is no conversation named ${JSON.stringify(name)}.`, {
    details: { fix: 'askd chats list' },
  });
}

function describeChats(folder: string): string {
  const names = chatNames(folder);
  return names.length === 0 ? 'No conversation is saved yet: /save NAME' : `Saved: ${names.join(', ')}`;
}

function chatNames(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return files.map((file) => file.slice(0, -'.json'.length));
}

function read(folder: string, name: string): SavedChat | undefined {
  try {
    const saved = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Partial<SavedChat>;
    return typeof saved.model === 'string' && Array.isArray(saved.messages)
      ? (saved as SavedChat)
      : undefined;
  } catch {
    return undefined;
  }
}
