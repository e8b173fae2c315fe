import { orTimeout } from './sse.ts';

/**
 * Past these the headers go out and comments keep the connection warm; until then a failure is a plain HTTP error, which
 * clients know how to repeat. First for the model and its slot, then for the first text.
 */
const WAITS = { startMs: 20_000, textMs: 10_000 };

/** An answer that has begun, or takes long to. It ends with its client, whether somebody reads it or not. */
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

/** A client that leaves before its stream is read leaves nobody to end the work: a generator waits for its reader. */
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
