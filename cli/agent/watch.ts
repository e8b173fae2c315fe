import type { AgentEvent, AgentRunRequest } from '../../src/api/tasks/agent.ts';
import { failureFromBody } from '../../src/api/http/failure.ts';
import type { Context } from '../context.ts';
import { renderAnswer } from './answer/render-answer.ts';
import { openViewer } from './viewer.ts';

export type Done = Extract<AgentEvent, { type: 'done' }>;
export type Finished = { done: Done; steps: AgentEvent[] };
/** Starts the events of a run, including these kinds. */
export type OpenEvents = (wanted: Pick<AgentRunRequest, 'tokens' | 'facts'>) => AsyncIterable<AgentEvent>;

export const EXIT_NO_ANSWER = 8;

type Watching = {
  question?: string;
  jsonl?: boolean;
  onDone?: ((run: string) => Promise<void>) | undefined;
};

/** Shows a run live, and its answer at the end. Resolves to the exit code. */
export async function watchRun(
  context: Context,
  open: OpenEvents,
  { question = '', jsonl = false, onDone }: Watching = {},
): Promise<number> {
  const { output } = context;
  if (jsonl) {
    const { done } = await follow(
      open({}),
      () => undefined,
      (event) => output.line(JSON.stringify(event)),
    );
    await onDone?.(done.run);
    return exitCodeOf(done);
  }
  const viewer = await openViewer(context, { total: 1 });
  const finished = await follow(open(wantedBy(viewer)), viewer.open(question)).finally(viewer.close);
  await onDone?.(finished.done.run);
  output.result(documentOf(finished), () => renderAnswer(finished.done, output));
  return exitCodeOf(finished.done);
}

/** Tokens and facts are only for viewers that show them. */
export function wantedBy({ isLive }: { isLive: boolean }): Pick<AgentRunRequest, 'tokens' | 'facts'> {
  return isLive ? { tokens: true, facts: true } : {};
}

/** Reads a run to its end and throws its failure. */
export async function follow(
  events: AsyncIterable<AgentEvent>,
  show: (event: AgentEvent) => void,
  onEvent: (event: AgentEvent) => void = () => undefined,
): Promise<Finished> {
  const steps: AgentEvent[] = [];
  let done: Done | undefined;
  for await (const event of events) {
    onEvent(event);
    show(event);
    if (event.type === 'error') throw failureFromBody(500, { error: event });
    if (event.type === 'done') done = event;
    else steps.push(event);
  }
  if (done === undefined) throw failureFromBody(500, undefined);
  return { done, steps };
}

export function documentOf({ done, steps }: Finished) {
  const { run: id, session: session_id, answer, citations, sources, stopped, usage } = done;
  return { schema: 'agent/1', id, session_id, answer, citations, sources, stopped, usage, steps };
}

export function exitCodeOf({ stopped, answer }: Done): number {
  return stopped === 'no_sources' || (stopped === 'cancelled' && answer === '') ? EXIT_NO_ANSWER : 0;
}
