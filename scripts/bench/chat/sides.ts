import { readFile } from 'node:fs/promises';
import { startAskd, threadsOf } from '../overhead/askd.ts';
import { startServer } from '../text/llama-server.ts';
import { createClient, user, type Ask } from './client.ts';

export const SLOTS = 8;
/** Context of one request: room for the longest prompt and its answer. */
export const CONTEXT_TOKENS = 6656;
const MODEL = 'synthetic';
const DRAFT = 'draft';

export type Side = {
  name: string;
  threads: string;
  ask: Ask;
  /** Resident memory of all processes of this side. */
  megabytes(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
};

type AskdOptions = {
  env?: Record<string, string>;
  /** The file of a draft model. */
  draft?: string;
};

/** The daemon as installed, with the model imported in place. */
export async function openAskd(file: string, { env, draft }: AskdOptions = {}): Promise<Side> {
  const askd = await startAskd({
    ASKD_MODEL_SLOTS: String(SLOTS),
    ASKD_MODEL_CONTEXT_TOKENS: String(CONTEXT_TOKENS),
    ...env,
  });
  const { ask, close } = createClient({ baseUrl: askd.baseUrl, key: askd.key, model: MODEL });
  const stop = async () => {
    close();
    await askd[Symbol.asyncDispose]();
  };
  try {
    await askd.run('import', file, '--id', MODEL, '--link', '--no-check');
    if (draft !== undefined) {
      await askd.run('import', draft, '--id', DRAFT, '--link', '--no-check');
      await askd.run('bind', 'svc-code-v1', MODEL, '--draft', DRAFT);
    }
    await ask([user('warm up')], { maxTokens: 4 });
    const { models } = (await askd.run('ps')) as { models: { pid: number }[] };
    const pids = [askd.pid, ...models.map(({ pid }) => pid)];
    const threads = String(await threadsOf(askd, MODEL));
    return {
      name: 'askd',
      threads,
      ask,
      megabytes: () => residentMegabytes(pids),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** llama.cpp's own server as it is built, with as many slots of the same size; it chooses its own thread count. */
export async function openLlamaServer(
  binary: string,
  file: string,
  { slots, contextTokens } = { slots: SLOTS, contextTokens: CONTEXT_TOKENS },
): Promise<Side> {
  const server = await startServer(binary, [
    ...['--model', file, '--parallel', String(slots), '--ctx-size', String(slots * contextTokens)],
  ]);
  const { ask, close } = createClient({ baseUrl: server.baseUrl, key: 'none', model: MODEL });
  const stop = async () => {
    close();
    await server[Symbol.asyncDispose]();
  };
  try {
    await ask([user('warm up')], { maxTokens: 4 });
  } catch (error) {
    await stop();
    throw error;
  }
  const megabytes = () => residentMegabytes([server.pid]);
  return { name: 'llama-server', threads: 'its own choice', ask, megabytes, [Symbol.asyncDispose]: stop };
}

async function residentMegabytes(pids: readonly number[]): Promise<number> {
  const each = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
  });
  return (await Promise.all(each)).reduce((sum, megabytes) => sum + megabytes, 0);
}
