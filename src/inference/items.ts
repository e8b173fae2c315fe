import { anySignal } from '../base/any-signal.ts';
import { Failure } from '../base/errors.ts';
import type { ItemEvent } from '../runtime/engine.ts';
import type { Meter, Metered, MeteredRequest, RequestContext } from './metered.ts';

/** Who is asking, and what can abort the work. */
export type TaskContext = RequestContext & {
  /** Aborts when the client has disconnected. */
  client: AbortSignal;
  /** Aborts, with a reason, when the daemon cannot continue. */
  daemon: AbortSignal;
};

export function stopSignal({ client, daemon }: TaskContext): AbortSignal {
  return anySignal(client, daemon);
}

export type Item<Result> = Extract<ItemEvent<Result>, { type: 'item' }>;

export type ItemWork<Result> = {
  metered: Metered;
  request: Pick<MeteredRequest, 'task' | 'model' | 'artifact'>;
  context: TaskContext;
  events: AsyncIterable<ItemEvent<Result>>;
  /** How many results must arrive. */
  count: number;
};

/** Holds the price of all items once the engine has counted their tokens, and settles for those that were processed. */
export async function* runItems<Result>(work: ItemWork<Result>): AsyncGenerator<Item<Result>> {
  const { metered, request, context, count } = work;
  const events = work.events[Symbol.asyncIterator]();
  try {
    const promptTokens = await readPrompt(events, context);
    const counts = { promptTokens };
    yield* metered.run({ ...context, ...request, stream: false, counts }, (meter) =>
      meterItems({ events, count, context, meter }),
    );
  } finally {
    await events.return?.();
  }
}

async function readPrompt(events: AsyncIterator<ItemEvent<unknown>>, context: TaskContext): Promise<number> {
  const first = await events.next();
  if (first.done) throw stopReason(context);
  return first.value.promptTokens;
}

type Metering<Result> = Pick<ItemWork<Result>, 'context' | 'count'> & {
  events: AsyncIterator<ItemEvent<Result>>;
  meter: Meter;
};

async function* meterItems<Result>({ events, count, context, meter }: Metering<Result>) {
  let done = 0;
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.type !== 'item') continue;
      done += 1;
      meter.promptTokens += next.value.promptTokens;
      yield next.value;
    }
    if (done < count) throw stopReason(context);
    meter.outcome = 'finished';
  } catch (error) {
    // An error of the request itself, so it costs nothing, as if it had come before the work.
    if (error instanceof Failure && error.kind.status === 400) meter.promptTokens = 0;
    throw error;
  } finally {
    if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
  }
}

export function stopReason({ client, daemon }: TaskContext): unknown {
  if (client.aborted) return client.reason;
  if (daemon.aborted) return daemon.reason;
  return new Failure(
    'runner_crashed',
    'The model was stopped while it was working. The next request loads it again.',
  );
}
