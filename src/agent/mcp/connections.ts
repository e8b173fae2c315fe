import type { Connection } from './connection.ts';
import type { ServerDefinition } from './definition.ts';
import type { Logins } from './login/logins.ts';

const IDLE_MS_MAX = 10 * 60_000;

type Running = { connection: Promise<Connection>; idle?: NodeJS.Timeout };
type Parts = { logins: Logins; callMsMax: number };

/** The running servers: started on first use, stopped when idle or with the daemon. */
export function createConnections({ logins, callMsMax }: Parts) {
  const running = new Map<string, Running>();

  async function open(server: ServerDefinition): Promise<Connection> {
    const known = running.get(server.name);
    const connection = await known?.connection.catch(() => undefined);
    if (connection?.isOpen()) return connection;
    // Another caller may have started it while this one waited.
    const now = running.get(server.name);
    return now && now !== known ? now.connection : start(server);
  }

  function start(server: ServerDefinition): Promise<Connection> {
    const authorization = logins.authorizationFor(server);
    const connection = import('./connection.ts').then(({ connect }) =>
      connect(server, { callMsMax, authorization }),
    );
    running.set(server.name, { connection });
    return connection;
  }

  async function end(name: string): Promise<void> {
    const known = running.get(name);
    running.delete(name);
    clearTimeout(known?.idle);
    await (await known?.connection.catch(() => undefined))?.close();
  }

  async function using<Result>(server: ServerDefinition, work: (connection: Connection) => Promise<Result>) {
    clearTimeout(running.get(server.name)?.idle);
    try {
      return await work(await open(server));
    } finally {
      const now = running.get(server.name);
      clearTimeout(now?.idle);
      if (now) now.idle = setTimeout(() => void end(server.name), IDLE_MS_MAX).unref();
    }
  }

  return { using, end, close: async () => void (await Promise.all([...running.keys()].map(end))) };
}
