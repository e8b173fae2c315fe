import type { ChatProgress } from '../src/inference/chat.ts';
import { orTimeout } from './sse.ts';

/** Past this the headers go out and comments keep the connection warm; until then a failure is a plain HTTP error. */
const FIRST_TEXT_WAIT_MS = 10_000;

/** An answer that has begun, or takes long to. It ends with its client, whether somebody reads it or not. */
export async function startedAnswer(
  progress: AsyncGenerator<ChatProgress>,
  client: AbortSignal,
): Promise<AsyncGenerator<ChatProgress>> {
  endWithClient(progress, client);
  const prompt = await progress.next();
  const next = progress.next();
  await orTimeout(next, FIRST_TEXT_WAIT_MS);
  return resume(progress, [prompt, next]);
}

/** A client that leaves before its stream is read leaves nobody to end the work: a generator waits for its reader. */
function endWithClient(progress: AsyncGenerator<ChatProgress>, client: AbortSignal): void {
  client.addEventListener('abort', () => void progress.return(undefined).catch(() => undefined), {
    once: true,
  });
}

async function* resume(
  progress: AsyncGenerator<ChatProgress>,
  pending: (IteratorResult<ChatProgress> | Promise<IteratorResult<ChatProgress>>)[],
): AsyncGenerator<ChatProgress> {
  try {
    for (const promise of pending) {
      const step = await promise;
      if (step.done) return;
      yield step.value;
    }
    yield* progress;
  } finally {
    await progress.return(undefined);
  }
}
