import { existsSync } from 'node:fs';
import { installOnDebian } from './debian.js';

const PROGRAMS = ['/usr/bin/gnome-keyring-daemon', '/usr/bin/dbus-daemon', '/usr/bin/dbus-send'];

/** Secrets are tested in a real Secret Service, which only Linux has. */
export async function ensureKeyring() {
  if (process.platform !== 'linux' || PROGRAMS.every((program) => existsSync(program))) return;
  await installOnDebian('a keyring for the tests of secrets', ['gnome-keyring', 'dbus']);
}
