import { setTimeout as sleep } from 'node:timers/promises';
import { settingVariables } from '../../../src/config/config.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Presence } from '../../../src/base/presence.ts';
import { findDaemon } from '../process.ts';
import type { CliEnvironment } from '../../environment.ts';
import { hasManager } from './managers.ts';
import { openService, type Service } from './service.ts';

const UP_MS_MAX = 30_000;
/** How long to wait before a manager's "not running" is final. */
const SETTLED_MS = 3_000;
const POLL_MS = 100;

/**
 * If the daemon of this home is a service, its manager starts it, since two starters would compete. A service does
 * not see this environment, so settings in it require a separate daemon.
 */
export async function startService(context: CliEnvironment): Promise<Presence | undefined> {
  if (!hasManager() || settingVariables(context.environment).length > 0) return undefined;
  const service = openService(context);
  // A service of another home, or an outdated one, is not ours to start.
  if (!service.isInstalled() || !(await service.isCurrent().catch(() => false))) return undefined;
  try {
    await service.start();
  } catch (error) {
    // For example in a session without a bus: a daemon without its manager is better than none.
    if (!(error instanceof Failure)) throw error;
    context.output.note(`note: ${error.message}. The daemon starts without ${service.name}.`);
    return undefined;
  }
  return waitForService(context, service);
}

/** A manager reports success for a service that exits at once, and restarts it again and again. */
export async function waitForService(context: CliEnvironment, service: Service): Promise<Presence> {
  const start = performance.now();
  for (;;) {
    const presence = await findDaemon(context);
    if (presence !== undefined) return presence;
    const waited = performance.now() - start;
    if (waited > UP_MS_MAX || (waited > SETTLED_MS && !(await service.isRunning()))) {
      throw new Failure(
        'daemon_unreachable',
        `askd is a service of ${service.name}, but its daemon does not start.`,
        { details: { fix: 'askd service logs' } },
      );
    }
    await sleep(POLL_MS, undefined, { signal: context.signal });
  }
}
