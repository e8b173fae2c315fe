import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { homePaths } from '../../../src/base/paths.ts';
import { llamaBuildFolder } from '../../../src/config/llama-build.ts';

const run = promisify(execFile);

/** From dist/scripts/bench/overhead, where this file runs. */
const ASKD = fileURLToPath(new URL('../../../../bin/askd.js', import.meta.url));
const IDLE_MS = 3_000;

export type AskdOptions = {
  /** The folder of an engine compiled by `askd engines build`, to be used instead of the prebuilt one. */
  build?: string | undefined;
};

/** The built product in a temporary home, which is deleted with it. */
export type Askd = Awaited<ReturnType<typeof startAskd>>;

export async function startAskd(settings: Record<string, string>, { build }: AskdOptions = {}) {
  const home = await mkdtemp(path.join(tmpdir(), 'askd-bench-'));
  const unset = { ASKD_API_KEY: undefined, ASKD_BASE_URL: undefined };
  const env = { ...process.env, ...unset, ASKD_HOME: home, ASKD_PORT: '0', ...settings };
  const askd = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await run(process.execPath, [ASKD, ...args, '--json'], { env });
    return JSON.parse(stdout) as unknown;
  };
  const stop = async () => {
    await askd('down').finally(() => rm(home, { recursive: true, force: true }));
  };
  try {
    if (build !== undefined) {
      const place = llamaBuildFolder(homePaths(home).engines);
      await cp(build, place, { recursive: true, dereference: true });
    }
    const { base_url: baseUrl, pid } = (await askd('up')) as { base_url: string; pid: number };
    const { key } = (await askd('keys', 'create', '--name', 'bench')) as { key: string };
    return { baseUrl, home, pid, key, run: askd, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** The thread count that the daemon chose for a model that it has loaded. */
export async function threadsOf(askd: Askd, model: string): Promise<number> {
  const { models } = (await askd.run('ps')) as { models: { artifact: string; threads: number | null }[] };
  const threads = models.find(({ artifact }) => artifact === model)?.threads;
  if (typeof threads === 'number') return threads;
  throw new Error(`The daemon did not load ${model}. Its log says why: askd logs`);
}

/** Resident memory of a process that has had time to settle; undefined if there is no /proc. */
export async function idleMemoryMegabytes(pid: number): Promise<number | undefined> {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}

/** Processor time that a process has used so far, in steps of 10 ms; NaN if there is no /proc. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may have spaces.
  const [user, system] = (stat.split(') ')[1] ?? '').split(' ').slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

export async function timeVersionMs(): Promise<number> {
  const startedAt = performance.now();
  await run(process.execPath, [ASKD, '--version']);
  return performance.now() - startedAt;
}
