import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatMessage } from '../../src/api/chat.ts';
import { formatCount } from '../format.ts';

type Talk = { options: { model: string; system?: string }; messages: ChatMessage[]; folder: string };
type Saved = { model: string; system?: string; messages: ChatMessage[] };

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const SAY_NAME = 'Say a name of letters, digits, dots and dashes: /save holiday-plans';

/** Kept in a file that only its owner can read; put in place whole. */
export function saveChat({ options: { model, system }, messages, folder }: Talk, name: string): string {
  if (!NAME.test(name)) return SAY_NAME;
  const saved: Saved = { model, ...(system !== undefined && { system }), messages };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.json`);
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(saved), { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
  return `Kept as ${name}. Go on with it later: /load ${name}`;
}

export function loadChat(talk: Talk, name: string): string {
  if (name === '') return listChats(talk.folder);
  const path = join(talk.folder, `${name}.json`);
  if (!NAME.test(name) || !existsSync(path))
    return `There is no conversation ${name}. ${listChats(talk.folder)}`;
  const saved = read(path);
  if (saved === undefined) return `${path} is damaged.`;
  talk.options.model = saved.model;
  delete talk.options.system;
  if (saved.system !== undefined) talk.options.system = saved.system;
  talk.messages.splice(0, talk.messages.length, ...saved.messages);
  return `${name}: ${formatCount(saved.messages.length, 'message')} with ${saved.model}.`;
}

function listChats(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  if (names.length === 0) return 'No conversation is kept yet: /save NAME';
  return `Kept: ${names.map((file) => file.slice(0, -'.json'.length)).join(', ')}`;
}

function read(path: string): Saved | undefined {
  try {
    const saved = JSON.parse(readFileSync(path, 'utf8')) as Partial<Saved>;
    return typeof saved.model === 'string' && Array.isArray(saved.messages) ? (saved as Saved) : undefined;
  } catch {
    return undefined;
  }
}
