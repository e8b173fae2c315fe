import type { Client } from '../client/client.ts';
import type { Dialog, Answers } from './dialog/dialog.ts';
import { reasonOf } from './data/event-stream.ts';
import type { Loader } from './data/loader.ts';
import type { Store } from './state/store.ts';
import type { Theme } from './render/theme.ts';
import type { Watcher } from './data/watcher.ts';

/** What a key can reach. */
export type Deck = {
  store: Store;
  loader: Loader;
  runs: Pick<Watcher, 'start'>;
  theme: Theme;
  /** Throws while there is no connection. */
  client: () => Client;
  openUrl: (url: string) => Promise<boolean>;
  copy: (text: string) => void;
  /** Resolves to the path of the new file. */
  save: (name: string, lines: AsyncIterable<string> | Iterable<string>) => Promise<string>;
  quit: () => void;
  suspend: () => void;
  reconnect: () => void;
};

/** What a key does. */
export type Act = (deck: Deck, key: string) => void | Promise<void>;

/** What an answered dialog does; it resolves to the dialog that comes after it. */
export type Submission = (deck: Deck, about: string, answers: Answers) => Promise<Dialog | undefined>;

const TOAST_MS = 6000;

export function say({ store }: Deck, text: string, tone: 'good' | 'bad' = 'good'): void {
  store.dispatch({ type: 'toast', toast: { text, tone, until: Date.now() + TOAST_MS } });
}

export function openDialog({ store }: Deck, dialog: Dialog): void {
  store.dispatch({ type: 'dialog', dialog });
}

/** Notes what the same would have been on the command line. */
export function did({ store }: Deck, command: string): void {
  store.dispatch({ type: 'did', command });
}

/** A failure is told, and the dashboard goes on. */
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

/** For a command that is shown: a text with blanks or quotes is one word. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
