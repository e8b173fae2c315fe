import { openDialog, type Act, type Deck } from '../deck.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { eventDetail, foldEvents, titleOf } from '../render/event-rows.ts';

/** In the events, it unfolds the selected row; elsewhere, it moves there. */
function show(deck: Deck): void {
  const { events, views } = deck.store.current();
  const { pane, detail } = views.overview;
  if (pane === 'list')
    return deck.store.dispatch({ type: 'view', screen: 'overview', view: { pane: 'detail' } });
  const rows = foldEvents(events);
  const row = rows.find(({ id }) => id === detail) ?? rows[0];
  if (row === undefined) return;
  const title = titleOf(row, deck.theme.glyphs);
  openDialog(deck, { kind: 'pages', title, text: eventDetail(row), offset: 0 });
}

export const overview = {
  'overview.show': show,
  'overview.hour': ({ store }) =>
    store.dispatch({ type: 'set', change: { showsHour: !store.current().showsHour } }),
} satisfies Partial<Record<ActionId, Act>>;
