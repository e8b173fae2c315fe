import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LoginWanted } from '../../../src/agent/mcp/login/begin.ts';
import { createMcpServers } from '../../../src/agent/mcp/servers.ts';
import { createAgentOutbound } from '../../../src/agent/outbound.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { openSeal } from '../../../src/base/sealed.ts';
import { openLog } from '../../../src/log/log.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../clock.ts';
import { temporaryFolder } from '../temporary.ts';
import { browseTo } from '../servers/mcp/guarded.ts';

/** Where nobody listens: the browser of these tests stops before it. */
export const BACK = 'http://127.0.0.1:9/callback';
const OWNER = { requestId: 'req_test', accountId: 'acct_local', keyId: null };
const forever = new AbortController().signal;

/** The MCP servers of an owner who has one, `tracker`, to which they can log in. */
export function openMcpServers({ loginMsMax }: { loginMsMax?: number } = {}) {
  const folder = temporaryFolder();
  const paths = homePaths(folder);
  const store = openStore(join(folder, 'askd.db'));
  const clock = settableClock(Date.now());
  const { log, close } = openLog({ paths, level: 'trace' });
  const outbound = createAgentOutbound({ ownPort: () => 1, allowOrigins: [] });
  const seal = openSeal(join(folder, 'key'));
  const limits = loginMsMax === undefined ? {} : { loginMsMax };
  const servers = createMcpServers({ ...{ store, seal, clock, log, outbound }, ...limits });
  onTestFinished(async () => {
    await servers.close();
    store.close();
    await close();
  });
  const begin = (wanted: Partial<LoginWanted> = {}) =>
    servers.beginLogin('tracker', { redirectUri: BACK, ...wanted });
  /** With a browser whose user gives consent. */
  async function logIn(wanted: Partial<LoginWanted> = {}) {
    const { searchParams } = await browseTo((await begin(wanted)).url, BACK);
    const { state = '', ...rest } = Object.fromEntries(searchParams);
    return servers.finishLogin('tracker', { ...rest, state });
  }
  return {
    ...{ servers, clock, begin, logIn },
    add: (url: string, headers = {}) =>
      servers.add({ name: 'tracker', definition: { url }, secrets: { env: {}, headers } }),
    call: (tool: string, input: Record<string, unknown> = {}) =>
      servers.call({ server: 'tracker', tool, input, by: OWNER }, forever),
    state: () => servers.show('tracker').login,
  };
}
