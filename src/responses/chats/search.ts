import type { Store } from '../../store/store.ts';
import type { ChatOwner } from './names.ts';
import { snippetOf, type Snippet } from './snippet.ts';

export type MessageHit = Snippet & { chatId: string; message: string; role: string };

type Row = { chatId: string; message: string; role: string; text: string };

type Search = { owner: ChatOwner; text: string; limit: number };

/** The messages that contain all words, latest first. */
export function searchMessages(store: Store, { owner, text, limit }: Search): MessageHit[] {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const { sql, values } = queryFor(words);
  const rows = store.prepare<Row>(sql).all(owner.accountId, owner.memberId, ...values, limit);
  return rows.map(({ text: found, ...hit }) => ({ ...hit, ...snippetOf(found, words) }));
}

/** The index consists of trigrams, so shorter words are searched in the texts themselves. */
function queryFor(words: readonly string[]): { sql: string; values: string[] } {
  const long = words.filter((word) => [...word].length >= 3);
  const short = words.filter((word) => [...word].length < 3);
  const indexed =
    long.length === 0 ? [] : ['place IN (SELECT rowid FROM chat_index WHERE chat_index MATCH ?)'];
  const conditions = [...indexed, ...short.map(() => `text LIKE ? ESCAPE '\\'`)];
  const quoted = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  return {
    sql: `SELECT chat_id AS chatId, id AS message, message ->> 'role' AS role, text FROM chat_messages
      WHERE chat_id IN (SELECT id FROM chats WHERE account_id = ? AND member_id IS ?)
        AND ${conditions.join(' AND ')} ORDER BY place DESC LIMIT ?`,
    values: [
      ...(long.length === 0 ? [] : [quoted]),
      ...short.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    ],
  };
}
