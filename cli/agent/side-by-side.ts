import { toFailure, type Failure } from '../../src/base/errors.ts';
import type { AgentRunRequest } from '../../src/api/tasks/agent.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { reportFailure } from '../output/failure-report.ts';
import { paint } from '../output/output.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { renderAnswer } from './answer/render-answer.ts';
import { openViewer } from './viewer.ts';
import { documentOf, exitCodeOf, follow, wantedBy, type Finished } from './watch.ts';

type Outcome = { query: string } & (Finished | { failure: Failure });

/**
 * Several runs at once. Their answers are printed in the order of the questions, each as soon as those before it are
 * done. One that fails does not stop the others. Resolves to the exit code of the first that did not answer.
 */
export async function runSideBySide(
  context: Context,
  client: Pick<Client, 'agent'>,
  { requests, parallel }: { requests: readonly AgentRunRequest[]; parallel: number },
): Promise<number> {
  const { output, signal } = context;
  const viewer = await openViewer(context, { total: requests.length });
  const outcomes = new Array<Outcome | undefined>(requests.length);
  let printed = 0;
  const print = () => {
    for (let next = outcomes[printed]; next !== undefined; next = outcomes[printed]) {
      const outcome = next;
      if (output.json) output.line(JSON.stringify(documentFor(outcome)));
      else viewer.around(() => output.line(textOf(outcome, context)));
      printed += 1;
    }
  };
  let begun = 0;
  const work = async (): Promise<void> => {
    for (let index = begun++; index < requests.length; index = begun++) {
      const request = requests[index] as AgentRunRequest;
      const show = viewer.open(request.query);
      try {
        const finished = await follow(client.agent.run({ ...request, ...wantedBy(viewer) }), show);
        outcomes[index] = { query: request.query, ...finished };
      } catch (error) {
        signal.throwIfAborted();
        const failure = toFailure(error);
        const { message, code } = failure;
        show({ type: 'error', seq: 0, message, code, retryable: false });
        outcomes[index] = { query: request.query, failure };
      }
      print();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, requests.length) }, work));
  } finally {
    viewer.close();
  }
  const codes = outcomes.map((each) => (each === undefined ? 0 : codeOf(each)));
  return codes.find((code) => code !== 0) ?? 0;
}

function documentFor(outcome: Outcome) {
  const { query } = outcome;
  if (!('failure' in outcome)) return { ...documentOf(outcome), query };
  const { code, message } = outcome.failure;
  return { schema: 'agent/1', query, error: { code, message } };
}

function textOf(outcome: Outcome, { output, io }: Context): string {
  const title = sanitiseLine(outcome.query);
  const head = output.styled ? paint(io.stdout, 'bold', title) : title;
  const body =
    'failure' in outcome
      ? reportFailure(outcome.failure, { verbose: false }).lines.join('\n')
      : renderAnswer(outcome.done, output);
  return `${head}\n\n${body}\n`;
}

function codeOf(outcome: Outcome): number {
  return 'failure' in outcome
    ? reportFailure(outcome.failure, { verbose: false }).exitCode
    : exitCodeOf(outcome.done);
}
