import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { launchdPlist, windowsTask } from '../../../cli/daemon-control/service/definition.ts';
import { SYSTEM_HOME, systemdSystemUnit, systemdUnit } from '../../../cli/daemon-control/service/systemd.ts';
import {
  findStableNode,
  isManaged,
  requireSharedPath,
} from '../../../cli/daemon-control/service/stable-node.ts';
import { runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** Real daemons come and go, and the machine may be busy with other tests. */
const MINUTES_MS = 180_000;

const PARTS = {
  node: '/usr/bin/node',
  entry: '/opt/as "kd" & 100% $HOME/bin/askd-daemon.js',
  home: '/home/user/.local/share/askd $1',
  log: '/home/user/.local/share/askd/logs/startup.log',
};

describe('the definition', () => {
  test.each([
    ['systemd.service', systemdUnit(PARTS)],
    ['systemd-system.service', systemdSystemUnit({ ...PARTS, home: SYSTEM_HOME })],
    ['launchd.plist', launchdPlist(PARTS)],
    [
      'windows-task.xml',
      windowsTask({
        ...PARTS,
        node: 'C:\\Program Files\\nodejs\\node.exe',
        entry: 'C:\\askd\\bin\\askd-daemon.js',
        home: 'C:\\Users\\me\\askd',
      }),
    ],
  ])('%s has not changed since it was last approved', async (name, text) => {
    await expect(text).toMatchFileSnapshot(`service/${name}`);
  });
});

/** Whether all elements are closed in order, and no text contains an unescaped character. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  for (const [, closing, name, , empty] of xml
    .replace(/<[?!][^>]*>/g, '')
    .matchAll(/<(\/?)([\w:]+)([^<>]*?)(\/?)>/g)) {
    if (closing === '/' && open.pop() !== name) return false;
    if (closing === '' && empty === '') open.push(name ?? '');
  }
  const text = xml.replace(/<[^<>]*>/g, '').replace(/&(?:amp|lt|gt|quot);/g, '');
  return open.length === 0 && !/[<>&]/.test(text);
}

const HOSTILE = { ...PARTS, node: process.execPath, home: '/tmp/a "b" <c> & \'d\' %h $HOME \\ e]]>' };

test.each([
  ['launchd', launchdPlist(HOSTILE)],
  ['Windows', windowsTask(HOSTILE)],
])('the XML for %s is well formed, whatever the paths', (_, xml) => expect(isWellFormed(xml)).toBe(true));

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** What systemd-analyze says about a unit, which it reads from a file. */
function analyze(unit: string, ...args: string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'askd.service');
  writeFileSync(file, unit);
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
    env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: folder },
    encoding: 'utf8',
  });
  return { status, stderr, exposure: Number(/exposure level for .*: ([\d.]+)/.exec(stdout)?.[1]) };
}

test.runIf(hasSystemd).each([
  ['--user', systemdUnit(HOSTILE)],
  ['--system', systemdSystemUnit(HOSTILE)],
])('systemd finds no fault in the unit for %s, whatever the paths', (scope, unit) => {
  expect(analyze(unit, scope, 'verify')).toMatchObject({ status: 0, stderr: '' });
});

test.runIf(hasSystemd)('a system service is confined, and a user service as far as possible', () => {
  const security = ['security', '--offline=true', '--no-pager'];
  expect(analyze(systemdSystemUnit(PARTS), ...security).exposure).toBeLessThanOrEqual(3);
  // Only root can hide root's file system, devices and users.
  expect(analyze(systemdUnit(PARTS), '--user', ...security).exposure).toBeLessThanOrEqual(7.5);
});

describe('the Node that a service names', () => {
  test.each([
    '/home/me/.nvm/versions/node/v20.20.0/bin/node',
    '/home/me/.local/share/fnm/node-versions/v20/installation/bin/node',
    '/home/me/.volta/bin/node',
    '/home/me/.asdf/installs/nodejs/20/bin/node',
    '/home/me/.local/share/mise/installs/node/20/bin/node',
    'C:\\Users\\me\\AppData\\Roaming\\nvm\\v20\\node.exe',
  ])('is never %s', (path) => expect(isManaged(path)).toBe(true));

  test('is the running one where no version manager owns it', async () => {
    expect(await findStableNode({ running: '/usr/bin/node', places: [] })).toBe('/usr/bin/node');
  });

  test('is a system-wide one that loads the same native code, and not a link into a version manager', async () => {
    const folder = temporaryFolder();
    const place = (name: string) => join(folder, name);
    mkdirSync(place('.nvm/bin'), { recursive: true });
    for (const name of ['old', 'good', '.nvm/bin/node']) writeFileSync(place(name), '');
    symlinkSync(place('.nvm/bin/node'), place('linked'));
    const found = findStableNode({
      running: '/home/me/.nvm/versions/node/v20/bin/node',
      places: [place('gone'), place('linked'), place('old'), place('good')],
      abiOf: async (node) => (node.endsWith('old') ? '1' : process.versions.modules),
    });
    expect(await found).toBe(place('good'));
  });

  test('is refused with the fix when there is none', async () => {
    const options = { running: '/home/me/.volta/bin/node', places: [] };
    await expect(findStableNode(options)).rejects.toThrow('belongs to a version manager');
  });
});

test('a system service uses nothing in a home directory', () => {
  for (const path of ['/home/me/askd/bin/askd-daemon.js', '/root/bin/node']) {
    expect(() => requireSharedPath(path)).toThrow('it cannot see home folders');
  }
  expect(requireSharedPath('/usr/lib/node_modules/askd/bin/askd-daemon.js')).toBeUndefined();
});

/** A systemctl and a loginctl that record their arguments. An enabled service runs until it is disabled. */
function fakeManagers(linger: 'yes' | 'no', program = 'exec node bin/askd-daemon.js') {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@" >> ${calls}\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const pid = join(folder, 'pid');
  write(
    'systemctl',
    `case "$*" in
*enable*--now* | *\\ start\\ *) (${program}) > /dev/null 2>&1 & echo $! > ${pid} ;;
*disable*--now*) kill "$(cat ${pid})" ;;
*is-active*) kill -0 "$(cat ${pid})" ;;
esac`,
  );
  onTestFinished(() => void spawnSync('sh', ['-c', `kill "$(cat ${pid})"`]));
  write('loginctl', `echo Linger=${linger}`);
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: folder };
  return {
    env,
    unit: join(folder, 'systemd', 'user', 'askd.service'),
    calls: () => readFileSync(calls, 'utf8'),
  };
}

describe.runIf(process.platform === 'linux')('askd service', () => {
  test(
    'installs a unit, explains linger, is audited by doctor, and is removed again',
    async () => {
      const home = temporaryFolder();
      const { env, unit, calls } = fakeManagers('no');
      const askd = (...args: string[]) => runCli(args, { home, env });
      expect(await askd('service', 'status', '--json')).toMatchObject({
        code: 6,
        stdout: expect.stringContaining('"installed": false'),
      });

      const installed = await askd('service', 'install');
      expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(unit) });
      expect(installed.stderr).toContain('sudo loginctl enable-linger');
      expect(calls()).toContain(
        'systemctl --user daemon-reload\nsystemctl --user enable --now askd.service\n',
      );
      expect(readFileSync(unit, 'utf8')).toContain(`Environment="ASKD_HOME=${home}"`);
      expect(await askd('service', 'status')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/up to date +yes/),
      });

      writeFileSync(unit, readFileSync(unit, 'utf8').replace(/ExecStart=\S+/, 'ExecStart="/gone/node"'));
      expect((await askd('service', 'status')).stdout).toMatch(/up to date +no: askd service install/);
      expect((await askd('doctor')).stdout).toContain('fix: askd service install');

      expect(await askd('service', 'uninstall')).toMatchObject({ code: 0 });
      expect(existsSync(unit)).toBe(false);
      expect((await askd('service', 'uninstall')).stdout).toBe('The service was not installed.\n');
    },
    MINUTES_MS,
  );

  test('does not mention linger where it is on', async () => {
    const { env } = fakeManagers('yes');
    const home = temporaryFolder();
    expect((await runCli(['service', 'install'], { home, env })).stderr).toBe('');
    await runCli(['down'], { home, env });
  });

  test(
    'starts its own unit again when the daemon is needed',
    async () => {
      const home = temporaryFolder();
      const { env, calls } = fakeManagers('yes');
      // A service does not see the environment, so the port is in the file.
      const alone = { ...env, ASKD_PORT: undefined };
      const askd = (...args: string[]) => runCli(args, { home, env: alone });
      await askd('config', 'set', 'port', '0');
      expect((await askd('service', 'install')).code).toBe(0);
      await askd('down');
      expect((await askd('up')).code).toBe(0);
      expect(calls()).toContain('systemctl --user start askd.service');
      expect((await askd('service', 'status')).code).toBe(0);
      await askd('down');
      expect((await runCli(['up'], { home, env })).code).toBe(0);
      expect(calls().match(/--user start/g)).toHaveLength(1);
      await askd('down');
    },
    MINUTES_MS,
  );

  test(
    'a manager that cannot be reached does not keep the daemon from starting',
    async () => {
      const home = temporaryFolder();
      const { env } = fakeManagers('yes');
      const askd = (...args: string[]) => runCli(args, { home, env: { ...env, ASKD_PORT: undefined } });
      await askd('config', 'set', 'port', '0');
      expect((await askd('service', 'install')).code).toBe(0);
      await askd('down');
      const systemctl = join(env.XDG_CONFIG_HOME, 'systemctl');
      writeFileSync(systemctl, '#!/bin/sh\necho "Failed to connect to bus" >&2\nexit 1\n');
      const { code, stderr } = await askd('up');
      expect(stderr).toContain('Failed to connect to bus');
      expect(stderr).toContain('without systemd (user)');
      expect(code).toBe(0);
      await askd('down');
    },
    MINUTES_MS,
  );

  test(
    'a daemon that does not start is reported, with where to find the reason',
    async () => {
      const { env } = fakeManagers('yes', 'exit 1');
      const { code, stderr } = await runCli(['service', 'install'], { env });
      expect(code).toBe(6);
      expect(stderr).toContain('its daemon does not start');
      expect(stderr).toContain('fix: askd service logs');
    },
    MINUTES_MS,
  );

  test('a refusal of the service manager is quoted', async () => {
    const { env } = fakeManagers('yes');
    const folder = env.XDG_CONFIG_HOME;
    writeFileSync(join(folder, 'systemctl'), '#!/bin/sh\necho "Failed to connect to bus" >&2\nexit 1\n');
    const { code, stderr } = await runCli(['service', 'install'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('Failed to connect to bus');
    expect(stderr).toContain('fix: askd up');
    expect(existsSync(join(folder, 'systemd'))).toBe(false);
  });
});
