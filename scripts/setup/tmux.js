import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installOnDebian } from './debian.js';

/** The dashboard and `askd chat` are tested in a real tmux, which Windows does not have. */
export async function ensureTmux() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  if (process.platform === 'win32' || folders.some((folder) => existsSync(join(folder, 'tmux')))) return;
  await installOnDebian('tmux for the tests of the terminal', ['tmux']);
}
