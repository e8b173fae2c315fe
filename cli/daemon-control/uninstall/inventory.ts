import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../../src/api/management/daemon.ts';
import { openSecrets } from '../../../src/config/secrets/secrets.ts';
import { completionFile, hasCompletion } from '../../completion/install.ts';
import { SHELLS } from '../../completion/scripts.ts';
import type { Context } from '../../context.ts';
import { CLIENTS } from '../../launch/clients.ts';
import { launchFolder } from '../../launch/launch.ts';
import { formatBytes, formatCount } from '../../output/format.ts';
import { findDaemon } from '../process.ts';
import { openService } from '../service/service.ts';

export type Item = { what: string; path: string; bytes: number };
export type Inventory = { isRunning: boolean; items: Item[]; models: readonly Artifact[]; foreign: string[] };

/** What askd writes into its home, besides temporary files whose names end with the pid of their writer. */
const OWN =
  /^(?:askd\.db(?:-wal|-shm|-journal|-closed)?|daemon\.(?:lock(?:-journal)?|json)|config\.json|secrets\.json|root-token|seal-key|shown-notices\.json|chat-history|models|uploads|documents|files|images|upstreams|engines|prompt-states|logs|chats|clients|restored|restoring-\w+|\.askd-\w+|askd-task\.xml)(?:\.\d+)?$/;
const SECRET = /^(?:secrets\.json|root-token|seal-key|upstreams|clients)/;

/** Everything that this installation has written on this machine, with its size. */
export async function takeInventory(
  context: Context,
  { keepModels }: { keepModels: boolean },
): Promise<Inventory> {
  const { paths } = context;
  const isRunning = (await findDaemon(context)) !== undefined;
  const models = existsSync(paths.database) ? await fetchedModels(context, keepModels) : [];
  const names = existsSync(paths.home) ? readdirSync(paths.home) : [];
  const own = names.filter((name) => OWN.test(name) && !(keepModels && name === 'models'));
  return {
    isRunning,
    models,
    foreign: names.filter((name) => !own.includes(name)),
    items: [
      ...serviceItems(context),
      ...models.map(({ id, path, bytes }) => ({ what: `model ${id}`, path, bytes })),
      ...keyringItems(context),
      ...shellItems(context),
      ...clientItems(context),
      ...homeItems(paths.home, own),
    ],
  };
}

/** Models that askd downloaded or copied. A file that was imported in place belongs to its owner. */
async function fetchedModels(context: Context, keepModels: boolean): Promise<Artifact[]> {
  if (keepModels) return [];
  const client = await context.connect();
  const { artifacts } = await client.artifacts();
  return artifacts.filter(({ files }) => files.some((file) => file.is_fetched));
}

function serviceItems(context: Context): Item[] {
  if (!['linux', 'darwin', 'win32'].includes(process.platform)) return [];
  const service = openService(context);
  return service.isInstalled() ? [{ what: `service of ${service.name}`, path: service.file, bytes: 0 }] : [];
}

function keyringItems({ paths }: Context): Item[] {
  const places = Object.entries(openSecrets(paths).places());
  return places
    .filter(([, place]) => place === 'keyring')
    .map(([name]) => ({ what: `secret ${name}`, path: 'the keyring', bytes: 0 }));
}

function shellItems({ environment: { env } }: Context): Item[] {
  return SHELLS.filter((shell) => hasCompletion(shell, env)).map((shell) => ({
    what: `completion for ${shell}`,
    path: completionFile(shell, env),
    bytes: 0,
  }));
}

function clientItems(context: Context): Item[] {
  return CLIENTS.flatMap(({ name, title }) => {
    const file = join(launchFolder(context), `${name}.backup.json`);
    if (!existsSync(file)) return [];
    const { path } = JSON.parse(readFileSync(file, 'utf8')) as { path: string };
    return [{ what: `settings of ${title}, as they were before`, path, bytes: 0 }];
  });
}

function homeItems(home: string, names: readonly string[]): Item[] {
  const item = (what: string, matches: (name: string) => boolean, path = home): Item[] => {
    const own = names.filter(matches).map((name) => join(home, name));
    return own.length === 0 ? [] : [{ what, path, bytes: own.reduce((sum, each) => sum + sizeOf(each), 0) }];
  };
  const isDatabase = (name: string) => name.startsWith('askd.db');
  const inFolder = (name: string) => item(name, (each) => each === name, join(home, name));
  const named = ['logs', 'models', 'engines', 'images', 'documents', 'files', 'chats', 'prompt-states'];
  return [
    ...item('database: keys, credits, usage, webhooks', isDatabase, join(home, 'askd.db')),
    ...item('secrets', (name) => SECRET.test(name)),
    ...named.flatMap(inFolder),
    ...item(
      'settings and the rest',
      (name) => !isDatabase(name) && !SECRET.test(name) && !named.includes(name),
    ),
  ];
}

/** Symbolic links are not followed. */
function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

export function inventoryLines({ isRunning, items, foreign }: Inventory, home: string): string[] {
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...(isRunning ? ['stops     the daemon'] : []),
    ...items.map(
      ({ what, path, bytes }) => `removes   ${what}${bytes > 0 ? ` (${formatBytes(bytes)})` : ''}: ${path}`,
    ),
    ...foreign.map((name) => `keeps     ${join(home, name)}`),
    `${formatCount(items.length, 'item')}, ${formatBytes(total)}.`,
  ];
}
