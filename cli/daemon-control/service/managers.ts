import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { CliEnvironment } from '../../environment.ts';
import { LAUNCHD_LABEL, launchdPlist, SERVICE_NAME, windowsTask, type ServiceParts } from './definition.ts';
import { SYSTEM_HOME, systemdSystemUnit, systemdUnit } from './systemd.ts';

export type Place = Pick<CliEnvironment, 'environment' | 'paths'>;
export type Command = readonly [file: string, ...args: string[]];

/** A platform's service manager. */
export type Manager = {
  name: string;
  file: (place: Place) => string;
  render: (parts: ServiceParts) => string;
  /** The service runs without anybody logged in, as its own user. */
  isSystem?: true;
  /** The encoding of its files. */
  encoding: 'utf8' | 'utf16le';
  /** Fails if the manager cannot be reached; changes nothing. */
  probe: Command;
  install: (file: string) => readonly Command[];
  /** Resets the failure count, so that the service may start again; its own failure does not matter. */
  forgive?: Command;
  start: () => Command;
  uninstall: (file: string) => readonly Command[];
  /** After its file has been removed. */
  afterUninstall?: Command;
  state: (file: string) => Command;
};

const SYSTEMD_UNIT = `${SERVICE_NAME}.service`;

const MANAGERS: Partial<Record<NodeJS.Platform, Manager>> = {
  linux: {
    name: 'systemd (user)',
    file: ({ environment }) =>
      join(
        environment.env['XDG_CONFIG_HOME'] || join(homeOf(environment.env), '.config'),
        'systemd',
        'user',
        SYSTEMD_UNIT,
      ),
    render: systemdUnit,
    ...systemctl('--user'),
  },
  darwin: {
    name: 'launchd',
    file: ({ environment }) =>
      join(homeOf(environment.env), 'Library', 'LaunchAgents', `${LAUNCHD_LABEL}.plist`),
    render: launchdPlist,
    encoding: 'utf8',
    probe: ['launchctl', 'version'],
    install: (file) => [['launchctl', 'bootstrap', `gui/${userInfo().uid}`, file]],
    start: () => ['launchctl', 'kickstart', `gui/${userInfo().uid}/${LAUNCHD_LABEL}`],
    uninstall: () => [['launchctl', 'bootout', `gui/${userInfo().uid}/${LAUNCHD_LABEL}`]],
    state: () => ['launchctl', 'print', `gui/${userInfo().uid}/${LAUNCHD_LABEL}`],
  },
  win32: {
    name: 'the task scheduler',
    file: ({ paths }) => join(paths.home, 'askd-task.xml'),
    render: windowsTask,
    encoding: 'utf16le',
    probe: ['schtasks', '/Query', '/FO', 'LIST'],
    install: (file) => [
      ['schtasks', '/Create', '/F', '/TN', SERVICE_NAME, '/XML', file],
      ['schtasks', '/Run', '/TN', SERVICE_NAME],
    ],
    start: () => ['schtasks', '/Run', '/TN', SERVICE_NAME],
    uninstall: () => [['schtasks', '/Delete', '/F', '/TN', SERVICE_NAME]],
    state: () => ['schtasks', '/Query', '/TN', SERVICE_NAME],
  },
};

/** It serves only the home that systemd creates for it. */
const SYSTEM_MANAGER: Manager = {
  name: 'systemd (system)',
  file: () => join('/etc', 'systemd', 'system', SYSTEMD_UNIT),
  render: systemdSystemUnit,
  isSystem: true,
  ...systemctl('--system'),
};

export const hasManager = (platform: NodeJS.Platform = process.platform): boolean => platform in MANAGERS;

export function managerOf({ paths }: Place, platform: NodeJS.Platform): Manager | undefined {
  return platform === 'linux' && paths.home === SYSTEM_HOME ? SYSTEM_MANAGER : MANAGERS[platform];
}

function systemctl(scope: '--user' | '--system') {
  const call = (...args: string[]) => ['systemctl', scope, ...args] as const;
  return {
    encoding: 'utf8',
    probe: call('daemon-reload'),
    install: () => [call('daemon-reload'), call('enable', '--now', SYSTEMD_UNIT)],
    forgive: call('reset-failed', SYSTEMD_UNIT),
    start: () => call('start', SYSTEMD_UNIT),
    uninstall: () => [call('disable', '--now', SYSTEMD_UNIT)],
    afterUninstall: call('daemon-reload'),
    state: () => call('is-active', SYSTEMD_UNIT),
  } as const;
}

function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env['HOME'] || homedir();
}
