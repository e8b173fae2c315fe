import type { Client } from '../client/client.ts';
import type { Replies } from './chat/replies.ts';
import type { Dialog, Answers } from './dialog/dialog.ts';
import { reasonOf } from './data/event-stream.ts';
import type { Loader } from './data/loader.ts';
import type { Store } from './state/store.ts';
import type { Theme } from './render/theme.ts';
import type { Watcher } from './data/watcher.ts';

/** What the handler of a key can use. */
export type Deck = {
  store: Store;
  loader: Loader;
  runs: Pick<Watcher, 'start'>;
  replies: Pick<Replies, 'start' | 'stop' | 'decide'>;
  theme: Theme;
  /** Throws while disconnected. */
  client: () => Client;
  openUrl: (url: string) => Promise<boolean>;
  copy: (text: string) => void;
  /** Keeps a message for the history of later chats. */
  remember: (text: string) => void;
  /** Resolves to the path of the new file. */
  save: (name: string, extension: string, lines: AsyncIterable<string> | Iterable<string>) => Promise<string>;
  quit: () => void;
  suspend: () => void;
  reconnect: () => void;
};

/** The handler of a key. */
export type Act = (deck: Deck, key: string) => void | Promise<void>;

/** The handler of an answered dialog; resolves to the next dialog, if any. */
export type Submission = (deck: Deck, about: string, answers: Answers) => Promise<Dialog | undefined>;

const TOAST_MS = 6000;

export function say({ store }: Pick<Deck, 'store'>, text: string, tone: 'good' | 'bad' = 'good'): void {
  store.dispatch({ type: 'toast', toast: { text, tone, until: Date.now() + TOAST_MS } });
}

export function openDialog({ store }: Deck, dialog: Dialog): void {
  store.dispatch({ type: 'dialog', dialog });
}

/** Records the equivalent command line. */
export function did({ store }: Deck, command: string): void {
  store.dispatch({ type: 'did', command });
}

/** Reports a failure, and the dashboard continues. */
export async function attempt(deck: Deck, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(deck, reasonOf(error), 'bad');
  }
}

export const textAnswer = (answers: Answers, name: string): string => String(answers[name] ?? '').trim();

export function listAnswer(answers: Answers, name: string): string[] {
  const value = answers[name];
  return typeof value === 'string' ? [value] : [...(value ?? [])];
}

/** Quotes a shell word for display. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
