import { Failure } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import { nameFrom } from './message.ts';

export type ChatRecord = {
  id: string;
  name: string;
  title: string;
  model: string;
  system: string | null;
  current: string | null;
  createdAtMs: number;
  changedAtMs: number;
  messageCount: number;
};
/** Whose conversations they are: a member's, or the account's own if there is none. */
export type ChatOwner = { accountId: string; memberId: string | null };

/** Refers to the last unnamed conversation. */
const LAST = 'last';

export const SELECT = `
  SELECT id, name, title, model, system, current, created_at AS createdAtMs, changed_at AS changedAtMs,
    (SELECT count(*) FROM chat_messages WHERE chat_id = chats.id) AS messageCount
  FROM chats WHERE account_id = @accountId AND member_id IS @memberId`;

const IS_TAKEN = `SELECT 1 FROM chats WHERE account_id = @accountId AND member_id IS @memberId AND name = @name`;

/** Finds conversations by name or id. Names are unique for each owner. */
export function createChatNames(store: Store, owner: ChatOwner) {
  const find = (chat: string): ChatRecord => {
    const row = store.prepare<ChatRecord>(
      `${SELECT} AND (id = @chat OR name = @chat) ORDER BY id = @chat DESC`,
    );
    const found = row.get({ ...owner, chat });
    if (found) return found;
    throw new Failure('not_found', `There is no conversation named ${JSON.stringify(chat)}.`, {
      details: { fix: 'askd chats list' },
    });
  };

  const isTaken = (name: string) => store.prepare(IS_TAKEN).get({ ...owner, name }) !== undefined;

  function freeName(wanted: string): string {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}-${count}`;
      if (name !== LAST && !isTaken(name)) return name;
    }
  }

  /** The previous "last" conversation keeps a name of its own. */
  function claimName(name: string): void {
    if (!isTaken(name)) return;
    if (name !== LAST) throw nameTaken(name);
    const { id, title } = find(name);
    store.prepare('UPDATE chats SET name = ? WHERE id = ?').run(freeName(nameFrom(title)), id);
  }

  return { find, freeName, claimName };
}

function nameTaken(name: string): Failure {
  return new Failure('already_exists', `There is already a conversation named ${name}.`, {
    param: 'name',
    details: { fix: `choose another name, or delete that one: askd chats rm ${name}` },
  });
}
