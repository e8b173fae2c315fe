import type { ChatSummary } from '../../../src/api/management/chats.ts';
import { formatSince } from '../../output/format.ts';
import { renderConversation, scrollConversation } from '../chat/conversation.ts';
import { isArriving } from '../chat/state.ts';
import { span, type Span } from '../render/lines.ts';
import type { Glyphs } from '../render/theme.ts';
import type { Layout, Screen } from '../screen.ts';
import { NEW_CHAT } from '../state/selection.ts';
import type { State } from '../state/state.ts';

export type ChatRow = { id: string; chat?: ChatSummary };

const LIST_WIDTH = 34;
/** In a narrower terminal, the list is only shown while it has focus. */
const LIST_FROM = 100;
const NEW_ROW: ChatRow = { id: NEW_CHAT };

export const chatScreen: Screen<ChatRow> = {
  title: 'Chat',
  rows: ({ data }) => data.chats && [NEW_ROW, ...data.chats.map((chat) => ({ id: chat.id, chat }))],
  id: ({ id }) => id,
  empty: 'No conversations yet. i types a message.',
  columns: (state, { glyphs }) => [
    { title: 'CONVERSATION', value: (row) => titleOf(state, row, glyphs), width: 'rest' },
    {
      title: 'CHANGED',
      value: ({ chat }) => (chat ? formatSince(chat.changed_at, state.now) : ''),
      width: 9,
    },
  ],
  layout: layoutOf,
  detail: (state, _row, size, theme) => renderConversation(state, size, theme),
  scrollTo: (state, _row, step, size, theme) => scrollConversation(state, step, size, theme),
};

function titleOf({ chat: { replies } }: State, { id, chat }: ChatRow, glyphs: Glyphs): string | Span {
  if (chat === undefined) return span('new conversation', { color: 'cyan' });
  const reply = replies[id];
  return reply && isArriving(reply) ? span(`${glyphs.live} ${chat.title}`, { color: 'green' }) : chat.title;
}

/** The width of a conversation. */
export function detailWidth(state: State): number {
  const { columns: width, rows: height } = state.size;
  return layoutOf(state, { width, height }).detail.width;
}

function layoutOf({ views }: State, { width, height }: { width: number; height: number }): Layout {
  if (width < LIST_FROM && views.chat.pane === 'detail') return { kind: 'whole', detail: { width, height } };
  return {
    kind: 'beside',
    list: { width: LIST_WIDTH, height },
    detail: { width: width - LIST_WIDTH - 3, height },
  };
}
