import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The location of everything in one installation. */
export type Paths = ReturnType<typeof homePaths>;

export function homePaths(home: string) {
  return {
    home,
    config: join(home, 'config.json'),
    database: join(home, 'askd.db'),
    lock: join(home, 'daemon.lock'),
    presence: join(home, 'daemon.json'),
    secrets: join(home, 'secrets.json'),
    rootToken: join(home, 'root-token'),
    sealKey: join(home, 'seal-key'),
    catalog: join(home, 'catalog.json'),
    models: join(home, 'models'),
    uploads: join(home, 'uploads'),
    documents: join(home, 'documents'),
    files: join(home, 'files'),
    images: join(home, 'images'),
    upstreams: join(home, 'upstreams'),
    engines: join(home, 'engines'),
    promptStates: join(home, 'prompt-states'),
    logs: join(home, 'logs'),
    log: join(home, 'logs', 'askd.log'),
    startupLog: join(home, 'logs', 'startup.log'),
    chatHistory: join(home, 'chat-history'),
    chats: join(home, 'chats'),
    shownNotices: join(home, 'shown-notices.json'),
  };
}

/** The platform's data folder for the user. */
export function defaultHome(environment: { xdgDataHome?: string; localAppData?: string }): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'askd');
  if (process.platform === 'win32') {
    return join(environment.localAppData ?? join(homedir(), 'AppData', 'Local'), 'askd');
  }
  return join(environment.xdgDataHome ?? join(homedir(), '.local', 'share'), 'askd');
}

export const packageRoot = findPackageRoot(import.meta.dirname);

/** A file that the build made. */
export function builtFile(relativePath: string): string {
  return join(packageRoot, 'dist', relativePath);
}

/** Where a process or thread starts: always in the build, even if the parent runs from sources. */
export function entryFile(relativePath: string): string {
  return builtFile(`bundle/${relativePath}`);
}

/** A file that ships as it is, without being built. */
export function packagedFile(relativePath: string): string {
  return join(packageRoot, relativePath);
}

export function binFile(name: string): string {
  return join(packageRoot, 'bin', name);
}

function findPackageRoot(start: string): string {
  let folder = start;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No package.json above ${start}`);
    folder = parent;
  }
  return folder;
}
