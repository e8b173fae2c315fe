import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';
import { binFile } from '../../../src/base/paths.ts';
import type { CliEnvironment } from '../../environment.ts';
import {
  LAUNCHD_LABEL,
  launchdPlist,
  SERVICE_NAME,
  systemdUnit,
  windowsTask,
  type ServiceParts,
} from './definition.ts';
import { findStableNode, requireStableEntry } from './stable-node.ts';

type Place = Pick<CliEnvironment, 'environment' | 'paths'>;
type Command = readonly [file: string, ...args: string[]];

/** A platform's service manager. */
type Manager = {
  name: string;
  file: (place: Place) => string;
  render: (parts: ServiceParts) => string;
  /** The encoding of its files. */
  encoding: 'utf8' | 'utf16le';
  /** Fails when the manager cannot be reached; changes nothing. */
  probe: Command;
  install: (file: string) => readonly Command[];
  /** Resets the failure count, so that the service may start again; its own failure does not matter. */
  forgive?: Command;
  start: () => Command;
  uninstall: (file: string) => readonly Command[];
  state: (file: string) => Command;
};

const MANAGERS: Partial<Record<NodeJS.Platform, Manager>> = {
  linux: {
    name: 'systemd (user)',
    file: ({ environment }) =>
      join(
        environment.env['XDG_CONFIG_HOME'] || join(homeOf(environment.env), '.config'),
        'systemd',
        'user',
        `${SERVICE_NAME}.service`,
      ),
    render: systemdUnit,
    encoding: 'utf8',
    probe: ['systemctl', '--user', 'daemon-reload'],
    install: () => [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', `${SERVICE_NAME}.service`],
    ],
    forgive: ['systemctl', '--user', 'reset-failed', `${SERVICE_NAME}.service`],
    start: () => ['systemctl', '--user', 'start', `${SERVICE_NAME}.service`],
    uninstall: () => [['systemctl', '--user', 'disable', '--now', `${SERVICE_NAME}.service`]],
    state: () => ['systemctl', '--user', 'is-active', `${SERVICE_NAME}.service`],
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

/** Imported lazily: each start of a daemon first checks whether it is a service. */
const run = async (
  name: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; reject: false },
) => (await import('execa')).execa(name, args, options);

function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env['HOME'] || homedir();
}

export const hasManager = (platform: NodeJS.Platform = process.platform): boolean => platform in MANAGERS;

export type Service = ReturnType<typeof openService>;

/** The daemon as a service of this user, through the platform's service manager. */
export function openService(place: Place, platform: NodeJS.Platform = process.platform) {
  const manager = MANAGERS[platform];
  if (!manager) {
    throw new Failure('unsupported_parameter', `askd supports no service manager on ${platform}.`, {
      details: { fix: 'run askd-daemon under your own service manager' },
    });
  }
  const file = manager.file(place);
  const { env } = place.environment;

  async function wanted(): Promise<string> {
    const { paths } = place;
    const entry = requireStableEntry(binFile('askd-daemon.js'));
    return manager!.render({ node: await findStableNode(), entry, home: paths.home, log: paths.startupLog });
  }

  async function runAll(commands: readonly Command[]): Promise<void> {
    for (const [name, ...args] of commands) {
      const { failed, stderr, message } = await run(name, args, { env, reject: false });
      if (failed) throw refused([name, ...args], (stderr ?? '').trim() || String(message));
    }
  }

  return {
    name: manager.name,
    file,
    isInstalled: () => existsSync(file),
    /** Checks, before anything changes, that there is a manager and a stable Node. */
    async requireReady(): Promise<void> {
      await wanted();
      await runAll([manager.probe]);
    },
    /** Whether the file is what this installation would write. */
    isCurrent: async () => readDefinition(file, manager.encoding) === (await wanted()),
    async install(): Promise<void> {
      const text = await wanted();
      if (existsSync(file) && platform === 'darwin')
        await run('launchctl', manager.uninstall(file)[0]!.slice(1), { env, reject: false });
      mkdirSync(dirname(file), { recursive: true });
      const mark = manager.encoding === 'utf16le' ? '\ufeff' : '';
      writeFileSync(file, mark + text, { encoding: manager.encoding });
      await runAll(manager.install(file));
    },
    async start(): Promise<void> {
      if (manager.forgive) {
        const [name, ...args] = manager.forgive;
        await run(name, args, { env, reject: false });
      }
      await runAll([manager.start()]);
    },
    async uninstall(): Promise<void> {
      await runAll(manager.uninstall(file));
      rmSync(file, { force: true });
      if (platform === 'linux') await runAll([['systemctl', '--user', 'daemon-reload']]);
    },
    async isRunning(): Promise<boolean> {
      const [name, ...args] = manager.state(file);
      return !(await run(name, args, { env, reject: false })).failed;
    },
    /** On Linux a user's services end with their last session, unless lingering is on. */
    async lingers(): Promise<boolean> {
      if (platform !== 'linux') return true;
      const user = userInfo().username;
      const { stdout } = await run('loginctl', ['show-user', user, '--property=Linger'], {
        env,
        reject: false,
      });
      return (stdout ?? '').trim() === 'Linger=yes';
    },
  };
}

function readDefinition(file: string, encoding: Manager['encoding']): string {
  return readFileSync(file, encoding).replace(/^\ufeff/, '');
}

function refused(command: readonly string[], output: string): Failure {
  return new Failure('config_invalid', `${command.join(' ')} failed: ${output}`, {
    details: { fix: 'askd up starts it without a service' },
  });
}
