import { userInfo } from 'node:os';
import type { Context } from '../../context.ts';
import { findDaemon } from '../process.ts';
import { stopDaemon } from '../stop.ts';
import { openService } from './service.ts';
import { waitForService } from './start.ts';

export async function installService(context: Context): Promise<void> {
  const service = openService(context);
  await service.requireReady();
  if (!service.isInstalled() && (await findDaemon(context))) {
    context.output.note('Stopping the running daemon, so that the service can start it.');
    await stopDaemon(context);
  }
  await service.install();
  await waitForService(context, service);
  const lingers = await service.lingers();
  context.output.result(
    { schema: 'service-install/1', manager: service.name, file: service.file, lingers },
    () => `askd is now a service of ${service.name}: ${service.file}`,
  );
  if (!lingers) {
    context.output.note(
      'note: it stops when you log out, as all user services do. To keep it running:\n' +
        `fix: sudo loginctl enable-linger ${userInfo().username}`,
    );
  }
}
