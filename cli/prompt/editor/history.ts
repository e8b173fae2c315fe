/** Earlier input, newest first, and the user's position in it. */
export type History = Readonly<{
  entries: readonly string[];
  /** Index of the entry that is shown; -1 if none is. */
  at: number;
  /** The prefix that was typed before, with which matching entries start. */
  draft: string;
}>;

export function beginHistory(entries: readonly string[]): History {
  return { entries, at: -1, draft: '' };
}

/** The next older (1) or newer (-1) entry that starts with what was typed; undefined if there is none. */
export function browse(
  history: History,
  by: 1 | -1,
  text: string,
): { history: History; text: string } | undefined {
  const { entries, at } = history;
  const draft = at === -1 ? text : history.draft;
  let next = at + by;
  while (next >= 0 && next < entries.length && !isOther(entries[next] ?? '', text, draft)) next += by;
  if (at === -1 ? by === -1 : next < -1) return undefined;
  if (next >= entries.length) return undefined;
  return { history: { entries, at: next, draft }, text: next === -1 ? draft : (entries[next] ?? '') };
}

function isOther(entry: string, shown: string, draft: string): boolean {
  return entry !== shown && entry.startsWith(draft);
}

/** The newest entry with this text that is not newer than `from`; -1 if there is none. */
export function findEntry({ entries }: History, query: string, from: number): number {
  if (query === '') return -1;
  const wanted = query.toLowerCase();
  return entries.findIndex((entry, index) => index >= from && entry.toLowerCase().includes(wanted));
}
