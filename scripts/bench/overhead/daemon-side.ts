import { threadsOf, type Askd } from './askd.ts';
import { createChatClient } from './chat-client.ts';
import type { Side } from './sides.ts';
import { timeBatch } from './timing.ts';

const MODEL = 'synthetic';
const LOAD_DEADLINE_MS = 120_000;

/** Imports the model in place and has the daemon load it. The daemon itself belongs to the caller. */
export async function openDaemonSide(askd: Askd, file: string): Promise<Side> {
  await askd.run('import', file, '--id', MODEL, '--link', '--no-check');
  const { stream, close } = createChatClient({ baseUrl: askd.baseUrl, key: askd.key, model: MODEL });
  await timeBatch(stream, ['warm up'], { maxTokens: 2, deadlineMs: LOAD_DEADLINE_MS });
  return {
    threads: await threadsOf(askd, MODEL),
    runBatch: (prompts, limits) => timeBatch(stream, prompts, limits),
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}
