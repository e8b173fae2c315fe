import { orTimeout } from './sse.ts';

/**
 * After these times, headers are sent and comments keep the connection alive. Until then a failure is a plain HTTP
 * error, which clients know how to retry. The first is for the model and its slot, the second for the first text.
 */
const WAITS = { startMs: 20_000, textMs: 10_000 };

/**
 * An answer that has started, or is taking long to start. It ends when its client disconnects, whether or not it is
 * being read.
 */
export async function startedAnswer<Event>(
  progress: AsyncGenerator<Event>,
  client: AbortSignal,
  { startMs, textMs } = WAITS,
): Promise<AsyncGenerator<Event>> {
  endWithClient(progress, client);
  const start = progress.next();
  if ((await orTimeout(start, startMs)) === undefined) return resume(progress, [start]);
  const next = progress.next();
  await orTimeout(next, textMs);
  return resume(progress, [start, next]);
}

/**
 * If a client disconnects before its stream is read, nothing else would end the work: a generator waits for its
 * consumer.
 */
function endWithClient(progress: AsyncGenerator<unknown>, client: AbortSignal): void {
  client.addEventListener('abort', () => void progress.return(undefined).catch(() => undefined), {
    once: true,
  });
}

async function* resume<Event>(
  progress: AsyncGenerator<Event>,
  pending: Promise<IteratorResult<Event>>[],
): AsyncGenerator<Event> {
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
