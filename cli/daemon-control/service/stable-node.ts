import { existsSync, realpathSync } from 'node:fs';
import { Failure } from '../../../src/base/errors.ts';

/** Folders that version managers replace. */
const MANAGED =
  /[\\/](?:\.nvm|nvm|\.fnm|fnm|fnm_multishells|\.volta|\.asdf|mise|\.nodenv|\.n|\.nodebrew|Cellar)[\\/]/i;

const USUAL_PLACES = [
  '/usr/bin/node',
  '/usr/local/bin/node',
  '/opt/homebrew/bin/node',
  'C:\\Program Files\\nodejs\\node.exe',
];

type Options = {
  running?: string;
  places?: readonly string[];
  /** The native modules of an installation need one ABI. */
  abiOf?: (node: string) => Promise<string | undefined>;
};

export function isManaged(path: string): boolean {
  return MANAGED.test(path);
}

/** A stable path to Node for a service: the running one, or a system one that can load the same native modules. */
export async function findStableNode(options: Options = {}): Promise<string> {
  const { running = process.execPath, places = USUAL_PLACES, abiOf = readAbi } = options;
  if (!isManaged(running) && !isManaged(resolved(running))) return running;
  for (const place of places) {
    // A stable path may be a link into a manager's folder.
    if (!existsSync(place) || isManaged(resolved(place))) continue;
    if ((await abiOf(place)) === process.versions.modules) return place;
  }
  throw new Failure(
    'config_invalid',
    `This Node (${running}) belongs to a version manager, so a service that uses it breaks at the next update. ` +
      `No other Node ${process.versions.node.split('.')[0]} was found in the usual places.`,
    { details: { fix: 'install Node from your system packages, then: askd service install' } },
  );
}

export function requireStableEntry(entry: string): string {
  const path = resolved(entry);
  if (!isManaged(path)) return path;
  throw new Failure(
    'config_invalid',
    `askd is installed in the folder of a version manager (${path}) and would be gone after the next update.`,
    { details: { fix: 'install askd with the Node of your system, then: askd service install' } },
  );
}

/** A system service cannot see anybody's home folder. */
export function requireSharedPath(path: string): void {
  if (!/^\/(home|root|run\/user)\//.test(resolved(path))) return;
  throw new Failure(
    'config_invalid',
    `A service of the whole machine cannot use ${path}: it cannot see home folders.`,
    {
      details: {
        fix: 'sudo npm install -g askd --allow-scripts=better-sqlite3, with the Node of your system',
      },
    },
  );
}

function resolved(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

async function readAbi(node: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa(node, ['-p', 'process.versions.modules'], {
    reject: false,
    timeout: 5000,
  });
  return failed ? undefined : stdout.trim();
}
