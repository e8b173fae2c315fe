import { createClient, type ClientOptions } from 'askd/client';
import { openScriptSession } from './accounts/sessions.ts';
import type { TestDaemon } from './daemon/daemon.ts';

/** The exported client of a daemon, by its key and by a script's session. */
export async function clientsOf(
  daemon: Pick<TestDaemon, 'call' | 'key' | 'baseURL'>,
  options: ClientOptions = {},
) {
  const { cookie } = await openScriptSession(daemon);
  const { baseURL } = daemon;
  return {
    byKey: createClient({ baseURL, apiKey: daemon.key, ...options }),
    bySession: createClient({ baseURL, session: cookie, ...options }),
  };
}
