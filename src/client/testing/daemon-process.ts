import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Failure } from '../../base/errors.ts';
import { binFile } from '../../base/paths.ts';

/** What a test daemon reports once it serves. */
type Announced = {
  base_url: string;
  management_url: string;
  api_key: string;
  key_id: string;
  root_token: string;
  home: string;
};

export type TestDaemon = Awaited<ReturnType<typeof startTestDaemon>>;

const STOP_MS_MAX = 10_000;

/**
 * Starts `askd-daemon --test`. Its standard input is a pipe that only this process holds, so however this process
 * ends, the daemon ends too and deletes its home.
 */
export async function startTestDaemon({ env, flags = [] }: { env: NodeJS.ProcessEnv; flags?: string[] }) {
  const child = spawn(process.execPath, [binFile('askd-daemon.js'), '--test', ...flags], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C in a terminal goes to the test runner, which then stops it.
    detached: true,
    windowsHide: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const announced = await announcement(child, ended);
  let stopping: Promise<void> | undefined;
  async function end(): Promise<void> {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    child.ref();
    child.stdin.end();
    await ended;
    clearTimeout(timer);
    // The daemon has done this itself, unless it was killed.
    rmSync(announced.home, { recursive: true, force: true, maxRetries: 10 });
  }

  return {
    ...announced,
    variables: variablesOf(announced),
    ended,
    /** A program that forgets to stop it can still exit. */
    unref: () =>
      [child, ...child.stdio].forEach((each) => (each as Partial<NodeJS.RefCounted> | null)?.unref?.()),
    stop: (): Promise<void> => (stopping ??= end()),
  };
}

async function announcement(child: ChildProcessWithoutNullStreams, ended: Promise<void>): Promise<Announced> {
  const { stdout, stderr } = child;
  let said = '';
  stderr.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-4000)));
  const lines = createInterface(stdout);
  const line = await new Promise<string>((resolve, reject) => {
    lines.on('line', (each) => each.startsWith('{') && resolve(each));
    child.once('error', reject);
    void ended.then(() => reject(notStarted(said)));
  });
  lines.close();
  stdout.resume();
  return JSON.parse(line) as Announced;
}

function notStarted(said: string): Failure {
  const reason = said.replace(/^error: /, '').trim();
  return new Failure('daemon_unreachable', `askd did not start for the tests: ${reason}`);
}

/** Under the names that the OpenAI and Anthropic packages, and the commands of askd, read. */
function variablesOf({ base_url, management_url, api_key, root_token, home }: Announced) {
  return {
    OPENAI_BASE_URL: base_url,
    OPENAI_API_KEY: api_key,
    ANTHROPIC_BASE_URL: management_url,
    ANTHROPIC_API_KEY: api_key,
    ASKD_HOME: home,
    ASKD_BASE_URL: base_url,
    ASKD_API_KEY: api_key,
    ASKD_ROOT_TOKEN: root_token,
  };
}
