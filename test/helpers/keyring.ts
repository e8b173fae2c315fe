import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary.ts';

export const hasKeyring = existsSync('/usr/bin/gnome-keyring-daemon') && existsSync('/usr/bin/dbus-daemon');
const SERVICE = 'org.freedesktop.secrets';
const OBJECT = '/org/freedesktop/secrets';

/** A separate session bus with an unlocked Secret Service; both end with the test. */
export async function openKeyring() {
  const folder = temporaryFolder();
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    XDG_DATA_HOME: folder,
  };
  const bus = start('dbus-daemon', ['--session', '--nofork', '--print-address'], env);
  const [address] = (await once(bus.stdout!, 'data')) as [Buffer];
  env['DBUS_SESSION_BUS_ADDRESS'] = address.toString().trim();
  const keyring = start('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], env);
  keyring.stdin!.end('password');
  const isServed = async () =>
    (await send(env, ['org.freedesktop.DBus', '/org/freedesktop/DBus'], 'NameHasOwner', `string:${SERVICE}`))
      .stdout;
  await expect.poll(isServed, { timeout: 30_000 }).toContain('boolean true');
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: env['DBUS_SESSION_BUS_ADDRESS'] },
    lock: () => send(env, [SERVICE, OBJECT], 'Service.Lock', `array:objpath:${OBJECT}/collection/login`),
  };
}

function send(
  env: Record<string, string>,
  [name = '', path = '']: string[],
  method: string,
  argument: string,
) {
  const member = `${name === SERVICE ? 'org.freedesktop.Secret' : name}.${method}`;
  return execa('dbus-send', ['--session', '--print-reply', `--dest=${name}`, path, member, argument], {
    env,
  });
}

function start(program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
