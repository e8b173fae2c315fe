import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';
import { binFile } from '../../../src/base/paths.ts';
import { managerOf, type Command, type Manager, type Place } from './managers.ts';
import { findStableNode, requireSharedPath, requireStableEntry } from './stable-node.ts';

/** Imported lazily: each start of a daemon first checks whether it is a service. */
const run = async (
  name: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; reject: false },
) => (await import('execa')).execa(name, args, options);

export type Service = ReturnType<typeof openService>;

/** The daemon as a service of this user, through the platform's service manager. */
export function openService(place: Place, platform: NodeJS.Platform = process.platform) {
  const manager = managerOf(place, platform);
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
    const node = await findStableNode();
    if (manager!.isSystem) for (const path of [node, entry]) requireSharedPath(path);
    return manager!.render({ node, entry, home: paths.home, log: paths.startupLog });
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
      if (manager.afterUninstall) await runAll([manager.afterUninstall]);
    },
    async isRunning(): Promise<boolean> {
      const [name, ...args] = manager.state(file);
      return !(await run(name, args, { env, reject: false })).failed;
    },
    /** On Linux, a user's services end with their last session unless lingering is on. */
    async lingers(): Promise<boolean> {
      if (platform !== 'linux' || manager.isSystem) return true;
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
