import type { AgentEvent, AgentRun, AgentRunRequest } from '../../../src/api/tasks/agent.ts';
import type { Client } from '../../client/client.ts';
import { reasonOf } from './event-stream.ts';
import { selectedRow } from '../screens.ts';
import type { Store } from '../state/store.ts';
import type { Theme } from '../render/theme.ts';

/** A row that the selection merely passes is not fetched. */
const SETTLE_MS = 150;

export type Watcher = ReturnType<typeof createWatcher>;

type Parts = { store: Store; client: () => Client | undefined; theme: Theme };
type Attached = { controller: AbortController; isMine: boolean };

/** Follows the selected run and those beside it, whoever started them, and runs started here until their end. */
export function createWatcher({ store, client, theme }: Parts) {
  const attached = new Map<string, Attached>();
  let wasLost = false;
  let timer: NodeJS.Timeout | undefined;

  /** Resolves to the id of the run as soon as it has started. */
  async function start(from: Client, request: AgentRunRequest): Promise<string> {
    const controller = new AbortController();
    const { run, events } = await from.agent.begin(request, controller.signal);
    void follow(run, { controller, isMine: true }, events);
    return run;
  }

  function attach(run: string): void {
    const from = client();
    if (from === undefined) return;
    const controller = new AbortController();
    void follow(run, { controller, isMine: false }, from.agent.follow(run, controller.signal));
  }

  async function follow(run: string, by: Attached, events: AsyncIterable<AgentEvent>): Promise<void> {
    attached.set(run, by);
    store.dispatch({ type: 'watch', run, isMine: by.isMine });
    try {
      for await (const event of events) store.dispatch({ type: 'run', run, event });
      store.dispatch({ type: 'unwatched', run, reason: 'The daemon stopped sending updates.' });
    } catch (error) {
      const reason = by.controller.signal.aborted ? undefined : reasonOf(error);
      store.dispatch({ type: 'unwatched', run, reason });
    } finally {
      attached.delete(run);
    }
  }

  function leaveOthers(wanted: readonly string[]): void {
    for (const [run, { controller, isMine }] of attached)
      if (!isMine && !wanted.includes(run)) controller.abort();
  }

  /** Resumes an interrupted stream once the connection is back. */
  function settle(): void {
    timer = undefined;
    const state = store.current();
    if (state.connection.kind !== 'live') wasLost = true;
    if (state.screen !== 'agent' || state.connection.kind !== 'live') return;
    const chosen = (selectedRow(state, theme) as AgentRun | undefined)?.id;
    if (chosen === undefined) return;
    const wanted = [...new Set([chosen, ...state.sideBySide])];
    leaveOthers(wanted);
    for (const run of wanted) {
      const { tree, broke } = state.watched[run] ?? {};
      const hasNoMore = tree?.end !== undefined || (broke !== undefined && !wasLost);
      if (!hasNoMore && !attached.has(run)) attach(run);
    }
    wasLost = false;
  }

  const unsubscribe = store.subscribe(() => void (timer ??= setTimeout(settle, SETTLE_MS)));
  return {
    start,
    close(): void {
      unsubscribe();
      clearTimeout(timer);
      for (const { controller } of attached.values()) controller.abort();
    },
  };
}
