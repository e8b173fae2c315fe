import type { Askd } from './askd.ts';
import { createChatClient } from './chat-client.ts';
import type { Side } from './sides.ts';
import { timeBatch } from './timing.ts';

const MODEL = 'synthetic';
const LOAD_DEADLINE_MS = 120_000;

/** Imports the model where it lies and has the daemon load it. The daemon itself belongs to the caller. */
export async function openDaemonSide(askd: Askd, file: string): Promise<Side> {
  await askd.run('import', file, '--id', MODEL, '--link');
  const { stream, close } = createChatClient({ baseUrl: askd.baseUrl, key: askd.key, model: MODEL });
  await timeBatch(stream, ['warm up'], { maxTokens: 2, deadlineMs: LOAD_DEADLINE_MS });
  return {
    threads: await runnerThreads(askd),
    runBatch: (prompts, limits) => timeBatch(stream, prompts, limits),
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

async function runnerThreads(askd: Askd): Promise<number> {
  const { models } = (await askd.run('ps')) as { models: { artifact: string; threads: number | null }[] };
  const threads = models.find(({ artifact }) => artifact === MODEL)?.threads;
  if (threads === undefined || threads === null)
    throw new Error(`The daemon did not load ${MODEL}. Its log says why: askd logs`);
  return threads;
}
