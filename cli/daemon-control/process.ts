import { Failure } from '../../src/base/errors.ts';
import { baseUrls, readPresence, type Presence } from '../../src/base/presence.ts';
import { version } from '../../src/base/version.ts';
import type { Target } from '../../src/api/http/http.ts';
import type { Output } from '../output/output.ts';
import type { CliEnvironment } from '../environment.ts';

/**
 * The daemon of this home. If its presence file is stale, it counts as absent, even if its pid and port now belong to
 * others: they must not get the root token.
 */
export async function findDaemon({
  paths,
  signal,
}: Pick<CliEnvironment, 'paths' | 'signal'>): Promise<Presence | undefined> {
  const presence = readPresence(paths.presence);
  if (presence === undefined) return undefined;
  const answer = await askWhoAnswers(presence, signal);
  return answer.who === 'itself' ? { ...presence, version: answer.version } : undefined;
}

export type Answer = { who: 'itself'; version: string } | { who: 'another' } | { who: 'nobody' };

/** Asks, without a token, who is listening at the announced address. */
export async function askWhoAnswers(presence: Presence, signal: AbortSignal): Promise<Answer> {
  const target = addressOf(presence);
  const { createClient } = await import('../client/client.ts');
  try {
    const health = await createClient(target, signal).health();
    return health.boot_id === presence.boot_id
      ? { who: 'itself', version: health.version }
      : { who: 'another' };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isRefused(error)) return { who: 'nobody' };
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

/** The address of this home's daemon, without a token. */
export function addressOf(presence: Presence): Target {
  return { url: baseUrls(presence).management_url, remote: false, ...certificateOf(presence) };
}

export function certificateOf(presence: Presence | undefined): Pick<Target, 'certificate'> {
  return presence?.certificate === undefined ? {} : { certificate: presence.certificate };
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'ECONNRESET';
}

/** After an update, the old daemon keeps running until someone restarts it. */
export function reportSkew(output: Output, daemonVersion: string): void {
  if (daemonVersion === version) return;
  output.talk(
    `note: the daemon is askd ${daemonVersion}, this command is askd ${version}.\nfix: askd restart`,
  );
}
