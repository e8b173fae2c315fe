import { Failure } from '../src/base/errors.ts';
import type { CliEnvironment } from './environment.ts';
import type { TargetKind } from './client/target.ts';

export type Context = ReturnType<typeof createContext>;

/** What every command receives: its environment and a connection to the server. */
export function createContext(cli: CliEnvironment) {
  const { options, paths, signal } = cli;
  return {
    ...cli,
    /** Reconnects to the same server; starts nothing. */
    reconnect: async () => {
      const [{ createClient }, { findDaemon }, { namedServer, ownServer }] = await Promise.all([
        import('./client/client.ts'),
        import('./daemon-control/process.ts'),
        import('./client/target.ts'),
      ]);
      const { host, account } = options;
      const request = { kind: 'control', environment: cli.environment, host, account } as const;
      const named = await namedServer(request, cli);
      if (named !== undefined) return createClient(named, signal);
      const presence = await findDaemon(cli);
      if (presence !== undefined) return createClient(ownServer(request, paths, presence), signal);
      throw new Failure('daemon_unreachable', 'The askd daemon is not running.', {
        details: { fix: 'askd up' },
      });
    },
    /**
     * Connects to the named server or this machine's daemon, which is started if needed and then loads the model
     * before it is asked to.
     */
    connect: async (kind: TargetKind = 'control', model?: string) => {
      const { namedServer, ownServer } = await import('./client/target.ts');
      const { host, account } = options;
      const request = { kind, environment: cli.environment, host, account };
      const named = await namedServer(request, cli);
      if (named !== undefined) return (await import('./client/client.ts')).createClient(named, signal);
      const { requireDaemon } = await import('./daemon-control/start.ts');
      const { presence } = await requireDaemon(cli, model);
      const { createClient } = await import('./client/client.ts');
      return createClient(ownServer(request, paths, presence), signal);
    },
  };
}
