import { stackOf, type LogEntry } from '../../daemon-control/logs/line.ts';
import { attempt, openDialog, say, type Act, type Deck } from '../deck.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { selectedRow, visibleRows } from '../screens.ts';
import type { Log } from '../state/state.ts';

/** Everything, then only info, warn or error and above. */
const LEVELS = [0, 30, 40, 50];

function showEntry(deck: Deck): void {
  const row = selectedRow(deck.store.current(), deck.theme) as Log | undefined;
  if (row) openDialog(deck, { kind: 'pages', title: 'Log entry', text: entryText(row.entry), offset: 0 });
}

function entryText({ err, ...entry }: LogEntry): string[] {
  const fields = JSON.stringify(entry, null, 2).split('\n');
  return err === undefined ? fields : [...fields, ...stackOf(err).split('\n')];
}

async function save(deck: Deck): Promise<void> {
  const rows = (visibleRows(deck.store.current(), deck.theme) ?? []) as Log[];
  const path = await deck.save(
    'askd-log',
    'jsonl',
    rows.map(({ raw }) => raw),
  );
  say(deck, `${rows.length} lines saved in ${path}.`);
}

export const logs = {
  'logs.follow': ({ store }) =>
    store.dispatch({ type: 'set', change: { isFollowing: !store.current().isFollowing } }),
  'logs.level': ({ store }) => {
    const logLevel = LEVELS[(LEVELS.indexOf(store.current().logLevel) + 1) % LEVELS.length] ?? 0;
    store.dispatch({ type: 'set', change: { logLevel } });
  },
  'logs.show': showEntry,
  'logs.save': (deck) => attempt(deck, () => save(deck)),
} satisfies Partial<Record<ActionId, Act>>;
