import { findDaemon } from '../daemon-control/process.ts';
import type { Context } from '../context.ts';
import type { CliEnvironment } from '../environment.ts';
import { createClient, type Client } from './client.ts';
import { ownServer } from './target.ts';

/** Whether another server was named, by flag or environment. */
export function isElsewhere({ options, environment }: Pick<Context, 'options' | 'environment'>): boolean {
  return Boolean(options.host ?? environment.baseUrl);
}

/** This machine's own daemon, whichever server answers; undefined if it is not running and may not be started. */
export async function ownDaemon(
  cli: CliEnvironment,
  { starts }: { starts: boolean },
): Promise<Client | undefined> {
  const presence = starts ? await start(cli) : await findDaemon(cli);
  if (presence === undefined) return undefined;
  const target = ownServer({ kind: 'control', environment: cli.environment }, cli.paths, presence);
  // Not the command's signal: after Ctrl-C there is still something to save.
  return createClient(target, new AbortController().signal);
}

async function start(cli: CliEnvironment) {
  const { requireDaemon } = await import('../daemon-control/start.ts');
  return (await requireDaemon(cli)).presence;
}
