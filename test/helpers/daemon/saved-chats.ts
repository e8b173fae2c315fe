import { createClient } from '../../../cli/client/client.ts';
import type { ChatStore } from '../../../cli/chat/saved-chats.ts';
import type { TestDaemon } from './daemon.ts';

/** The saved conversations of a daemon, as the command line reads and writes them. */
export function chatsOf({ port, services }: Pick<TestDaemon, 'port' | 'services'>): ChatStore {
  const target = { url: `http://127.0.0.1:${port}`, token: services.rootToken.current(), remote: false };
  const { chats } = createClient(target, new AbortController().signal);
  return async () => chats;
}
