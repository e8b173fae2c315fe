import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import type { Log } from '../../src/log/log.ts';
import { createChats, type Chats } from '../../src/responses/chats/chats.ts';
import type { ChatOwner } from '../../src/responses/chats/names.ts';
import { takeOverChats } from '../../src/responses/chats/take-over.ts';
import { createConversations } from '../../src/responses/conversations.ts';
import { createResponses } from '../../src/responses/responses.ts';
import type { Store } from '../../src/store/store.ts';
import { ACCOUNT_ID } from '../auth/account.ts';

/** Stored responses and conversations that later requests continue, and conversations that people save. */
export function composeResponses({
  store,
  clock,
  settings,
  log,
}: {
  store: Store;
  clock: Clock;
  settings: Settings;
  log: Log;
}) {
  const parts = { store, clock, ttlMs: settings.responseStoreTtlMs };
  const chatsOf = (owner: ChatOwner) => createChats({ store, clock, owner });
  takeOver(chatsOf({ accountId: ACCOUNT_ID, memberId: null }), settings.paths.chats, log);
  return { responses: createResponses(parts), conversations: createConversations(parts), chatsOf };
}

/** A file that cannot be moved into the database must not prevent the daemon from starting. */
function takeOver(chats: Chats, folder: string, log: Log): void {
  try {
    for (const path of takeOverChats(chats, folder))
      log.warn({ path }, 'this file is not a readable conversation and is left as it is');
  } catch (error) {
    log.error({ err: error }, 'saved conversations could not be moved into the database');
  }
}
