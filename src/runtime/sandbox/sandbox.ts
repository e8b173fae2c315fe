import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { runnerEnvironment } from '../runner-environment.ts';
import type { Access } from './access.ts';
import { inBubblewrap, type Command } from './bubblewrap.ts';
import { inSandboxExec } from './sandbox-exec.ts';

export type SandboxMode = 'auto' | 'required' | 'off';
export type SandboxName = 'bubblewrap' | 'sandbox-exec';

/** The sandbox in which runners start on this machine, or why there is none. */
export type SandboxState =
  | { name: SandboxName; wrap: (command: Command, access: Access) => Command }
  | { name: null; reason: string; fix?: string };

export type SandboxOptions = {
  mode: SandboxMode;
  home: string;
  /** What all models together may use. */
  memoryBytes: number;
  platform?: NodeJS.Platform;
  /** Where bubblewrap may be. */
  places?: readonly string[];
  /** Called once if runners start without a sandbox. */
  onMissing?: (state: SandboxState & { name: null }) => void;
};

export type Sandbox = ReturnType<typeof createSandbox>;

/** Node's own memory, on top of what models may use. */
const OVERHEAD_BYTES = 2 * 1024 ** 3;
const TRY_MS_MAX = 10_000;

/** Looks for a sandbox when it is first needed, and tests it once. */
export function createSandbox({ mode, onMissing, ...options }: SandboxOptions) {
  let found: Promise<SandboxState> | undefined;
  let isReported = false;

  function find(): Promise<SandboxState> {
    found ??= mode === 'off' ? Promise.resolve(OFF) : findSandbox(options);
    return found;
  }

  return {
    find,
    /** For a runner that is starting. Throws if a sandbox is required and there is none. */
    async forRunner(): Promise<SandboxState> {
      const state = await find();
      if (state.name !== null || mode === 'off') return state;
      if (mode === 'required') throw required(state);
      if (!isReported) onMissing?.(state);
      isReported = true;
      return state;
    },
  };
}

const PLACES = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];
const OFF: SandboxState = {
  name: null,
  reason: 'the setting sandbox is off',
  fix: 'askd config unset sandbox',
};

async function findSandbox({ home, memoryBytes, platform, places = PLACES }: Omit<SandboxOptions, 'mode'>) {
  const where = platform ?? process.platform;
  if (where === 'linux') {
    const limit = memoryBytes + OVERHEAD_BYTES;
    return findBubblewrap({ home, memoryBytes: limit, places });
  }
  if (where !== 'darwin') return { name: null, reason: `askd has no sandbox for ${where}` } as const;
  return {
    name: 'sandbox-exec',
    wrap: (command: Command, access: Access) => inSandboxExec(command, access, home),
  } as const;
}

type Looking = { home: string; memoryBytes: number; places: readonly string[] };

async function findBubblewrap({ home, memoryBytes, places }: Looking): Promise<SandboxState> {
  const program = places.map((folder) => join(folder, 'bwrap')).find((file) => existsSync(file));
  if (program === undefined) return { name: null, reason: 'bubblewrap is not installed', fix: INSTALL };
  const environment = runnerEnvironment('llama');
  const options = { program, home, memoryBytes, environment };
  const wrap = (command: Command, access: Access) => inBubblewrap(command, access, options);
  const node = { file: process.execPath, args: ['-p', '6 * 7'] };
  const { file, args } = wrap(node, { read: [process.execPath], write: [] });
  const { answer, said } = await tryOut(file, args, environment);
  if (answer === '42') return { name: 'bubblewrap', wrap };
  return { name: null, reason: `bubblewrap does not work here (${said})`, fix: ALLOW };
}

async function tryOut(file: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const { execFile } = await import('node:child_process');
  return new Promise<{ answer: string; said: string }>((resolve) => {
    execFile(file, args, { timeout: TRY_MS_MAX, env }, (error, stdout, stderr) => {
      const said = stderr.trim().split('\n').at(-1) || error?.message.split('\n')[0] || 'it said nothing';
      resolve({ answer: stdout.trim(), said });
    });
  });
}

const INSTALL = 'sudo apt-get install bubblewrap (or the equivalent for your distribution)';
const ALLOW =
  'install bubblewrap 0.8 or newer, and allow user namespaces: sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000';

function required({ reason, fix }: SandboxState & { name: null }): Failure {
  return new Failure(
    'sandbox_unavailable',
    `No model is started without a sandbox while the setting sandbox is "required", and ${reason}.`,
    { ...(fix !== undefined && { details: { fix } }) },
  );
}
