import { Failure } from '../errors.ts';
import type { ItemEvent } from '../runtime/engine.ts';
import type { Meter, RequestContext } from './metered.ts';

/** Who asks, and what can end the work early. */
export type TaskContext = RequestContext & {
  /** Aborts when the client is gone. */
  client: AbortSignal;
  /** Aborts, with a reason, when the daemon cannot go on. */
  daemon: AbortSignal;
};

export function stopSignal({ client, daemon }: TaskContext): AbortSignal {
  return AbortSignal.any([client, daemon]);
}

export type ItemWork<Result> = {
  events: AsyncIterable<ItemEvent<Result>>;
  count: number;
  context: TaskContext;
  meter: Meter;
};

/** Counts every item that was made, also where the client leaves half-way, and fails unless all of them were. */
export async function* meterItems<Result>({ events, count, context, meter }: ItemWork<Result>) {
  let done = 0;
  try {
    for await (const event of events) {
      if (event.type !== 'item') continue;
      done += 1;
      meter.promptTokens += event.promptTokens;
      yield event;
    }
    if (done < count) throw stopReason(context);
    meter.outcome = 'finished';
  } finally {
    if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
  }
}

export function stopReason({ client, daemon }: TaskContext): unknown {
  if (client.aborted) return client.reason;
  if (daemon.aborted) return daemon.reason;
  return new Failure(
    'runner_crashed',
    'The model was stopped while it was working. The next request starts it again.',
  );
}
