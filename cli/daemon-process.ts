import { Failure } from '../src/errors.ts';
import { readPresence, type Presence } from '../src/presence.ts';
import { version } from '../src/version.ts';
import { createClient } from './client.ts';
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';
import { addressOf } from './target.ts';

/** The daemon of this home; one that is announced but does not listen counts as absent. */
export async function findDaemon({
  paths,
  signal,
}: Pick<Surroundings, 'paths' | 'signal'>): Promise<Presence | undefined> {
  const presence = readPresence(paths.presence);
  if (presence === undefined) return undefined;
  const target = addressOf(presence);
  try {
    const health = await createClient(target, signal).health();
    return { ...presence, version: health.version };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isRefused(error)) return undefined;
    throw new Failure(
      'daemon_unreachable',
      `The daemon (pid ${presence.pid}) does not answer at ${target.url}.`,
      {
        cause: error,
        details: { fix: 'askd restart' },
      },
    );
  }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'ECONNRESET';
}

/** After an update the old daemon keeps running until someone restarts it. */
export function reportSkew(output: Output, daemonVersion: string): void {
  if (daemonVersion === version) return;
  output.talk(
    `note: the daemon is askd ${daemonVersion}, this command is askd ${version}.\nfix: askd restart`,
  );
}
