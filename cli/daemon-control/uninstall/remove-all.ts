import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSecrets } from '../../../src/config/secrets/secrets.ts';
import { Failure } from '../../../src/base/errors.ts';
import { uninstallCompletion } from '../../completion/install.ts';
import { SHELLS } from '../../completion/scripts.ts';
import type { Context } from '../../context.ts';
import { CLIENTS } from '../../launch/clients.ts';
import { restore } from '../../launch/config-change.ts';
import { launchFolder } from '../../launch/launch.ts';
import { openService } from '../service/service.ts';
import { stopDaemon } from '../stop.ts';
import type { Inventory } from './inventory.ts';

/**
 * The home goes last, so that after a failure the same command can continue. Resolves to the files that were left
 * because they are not askd's, or have changed since.
 */
export async function removeAll(context: Context, inventory: Inventory): Promise<string[]> {
  const { paths, environment } = context;
  await removeModels(context, inventory);
  await removeService(context);
  await stopDaemon(context);
  const kept = restoreClients(context);
  for (const shell of SHELLS) uninstallCompletion(shell, environment.env);
  const secrets = openSecrets(paths);
  await secrets.remove(Object.keys(secrets.places()));
  for (const name of existsSync(paths.home) ? readdirSync(paths.home) : []) {
    if (!inventory.foreign.includes(name)) await rm(join(paths.home, name), { recursive: true, force: true });
  }
  if (inventory.foreign.length === 0 && existsSync(paths.home)) rmdirSync(paths.home);
  return [...kept, ...inventory.foreign.map((name) => join(paths.home, name))];
}

/** Removed by the daemon, which keeps files that other models or programs use. */
async function removeModels({ connect, output }: Context, { models }: Inventory): Promise<void> {
  if (models.length === 0) return;
  const client = await connect();
  for (const { id } of models) {
    await client.remove({ model: id, force: true });
    output.note(`Removed ${id}.`);
  }
}

async function removeService(context: Context): Promise<void> {
  if (!['linux', 'darwin', 'win32'].includes(process.platform)) return;
  const service = openService(context);
  if (service.isInstalled()) await service.uninstall();
}

/** A file that its owner changed after askd did is kept and named. */
function restoreClients(context: Context): string[] {
  return CLIENTS.flatMap((client) => {
    try {
      restore(client, launchFolder(context), false);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [error.message];
    }
  });
}
