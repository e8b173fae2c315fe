import type { AgentEvent } from '../../../../../../src/api/tasks/agent.ts';
import { ApiError } from '../../../data/api.ts';
import { inferGet, readEvents } from '../../../data/playground-key.ts';

const RETRY_MS = 1_000;

type Watching = {
  run: string;
  /** The stream was joined, for the first time or again. */
  onJoined: () => void;
  onEvent: (event: AgentEvent) => void;
  onLost: () => void;
  signal: AbortSignal;
};

/** Follows a run to its end. If the connection or the daemon goes away, it continues after the last event received. */
export async function watch({ run, onJoined, onEvent, onLost, signal }: Watching): Promise<void> {
  const path = `/v1/agent/stream?${new URLSearchParams({ run, tokens: 'true', facts: 'true' }).toString()}`;
  let last = 0;
  while (!signal.aborted) {
    try {
      const headers = last > 0 ? { 'last-event-id': String(last) } : undefined;
      const response = await inferGet(path, { signal, ...(headers && { headers }) });
      onJoined();
      for await (const data of readEvents(response)) {
        if (data === '[DONE]') return;
        const event = JSON.parse(data) as AgentEvent | { type?: never };
        // The stream itself failed, not the run.
        if (event.type === undefined) break;
        if ('seq' in event) last = event.seq;
        onEvent(event);
        if (event.type === 'done' || event.type === 'error') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    onLost();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
