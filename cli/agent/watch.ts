import type { AgentEvent } from '../../src/api/tasks/agent.ts';
import type { Context } from '../context.ts';
import { failureFromBody } from '../../src/api/http/http.ts';
import { renderAnswer } from './answer/render-answer.ts';
import { sanitiseLine } from '../output/sanitise.ts';

type Done = Extract<AgentEvent, { type: 'done' }>;

export const EXIT_NO_ANSWER = 8;
const DONE = '[DONE]';

/** Shows a run live, and its answer at the end. Resolves to the exit code. */
export async function watchRun(
  { output }: Context,
  events: AsyncIterable<string>,
  { jsonl = false, onDone }: { jsonl?: boolean; onDone?: ((run: string) => Promise<void>) | undefined } = {},
): Promise<number> {
  const steps: AgentEvent[] = [];
  let done: Done | undefined;
  for await (const data of events) {
    if (data === DONE) break;
    const event = JSON.parse(data) as AgentEvent | { error: unknown };
    if (!('type' in event)) throw failureFromBody(500, event);
    if (jsonl) output.line(data);
    if (event.type === 'error') throw failureFromBody(500, { error: event });
    if (event.type === 'done') done = event;
    else steps.push(event);
    if (!jsonl && !output.json) printStep(output.note, event);
  }
  if (done === undefined) throw failureFromBody(500, undefined);
  const { run, session, answer, citations, sources, stopped, usage } = done;
  await onDone?.(run);
  const document = { id: run, session_id: session, answer, citations, sources, stopped, usage, steps };
  if (!jsonl) output.result({ schema: 'agent/1', ...document }, () => renderAnswer(done, output));
  return done.stopped === 'no_sources' || (done.stopped === 'cancelled' && done.answer === '')
    ? EXIT_NO_ANSWER
    : 0;
}

function printStep(note: (text: string) => void, event: AgentEvent): void {
  if (event.type === 'step') note(sanitiseLine(event.message));
  if (event.type !== 'tool') return;
  const detail = event.detail === undefined ? '' : ` ${sanitiseLine(event.detail)}`;
  if (event.status === 'start') note(`  ${event.name}:${detail}`);
  else
    note(
      `  ${event.name} ${event.status === 'ok' ? 'done' : event.status.replace('_', ' ')}${detail && `:${detail}`} (${event.ms ?? 0} ms)`,
    );
}
