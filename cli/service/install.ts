import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/errors.ts';
import type { Context } from '../context.ts';
import { findDaemon } from '../daemon-process.ts';
import { stopDaemon } from '../daemon-stop.ts';
import { openService, type Service } from './service.ts';

const UP_MS_MAX = 20_000;
/** After this a manager that says that it does not run is believed. */
const SETTLED_MS = 3_000;
const POLL_MS = 100;

export async function installService(context: Context): Promise<void> {
  const service = openService(context);
  await service.requireReady();
  if (!service.isInstalled() && (await findDaemon(context))) {
    context.output.note('The daemon that runs now is stopped, so that the service can start it.');
    await stopDaemon(context);
  }
  await service.install();
  await requireUp(context, service);
  const lingers = await service.lingers();
  context.output.result(
    { schema: 'service-install/1', manager: service.name, file: service.file, lingers },
    () => `askd is a service of ${service.name}: ${service.file}`,
  );
  if (!lingers) {
    context.output.note(
      'note: it ends when you log out, as all your services do. To keep it running:\n' +
        `fix: sudo loginctl enable-linger ${userInfo().username}`,
    );
  }
}

/** A manager says yes to a service that ends at once, and starts it again and again. */
async function requireUp(context: Context, service: Service): Promise<void> {
  const start = performance.now();
  while ((await findDaemon(context)) === undefined) {
    const waited = performance.now() - start;
    if (waited > UP_MS_MAX || (waited > SETTLED_MS && !(await service.isRunning()))) {
      throw new Failure(
        'daemon_unreachable',
        `askd is a service of ${service.name} now, but its daemon does not come up.`,
        { details: { fix: 'askd service logs' } },
      );
    }
    await sleep(POLL_MS, undefined, { signal: context.signal });
  }
}
