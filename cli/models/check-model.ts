import type { CheckProgress, CheckStep, ModelCheck } from '../../src/api/management/check.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';

const SIGNS: Readonly<Record<CheckStep['status'], string>> = {
  passed: 'ok',
  weak: 'weak',
  failed: 'FAILED',
  skipped: 'skipped',
};
const SIGN_WIDTH = 7;
const NAME_WIDTH = 17;

type Wanted = { model: string; full?: boolean };

/** Runs a check and prints each step as it ends. */
export async function checkModel(
  client: Client,
  wanted: Wanted,
  { output }: Pick<Context, 'output'>,
): Promise<ModelCheck> {
  let last: CheckProgress | undefined;
  for await (last of client.checkModel(wanted)) {
    if (last.step && !output.json) output.note(stepLine(last.step));
  }
  if (last?.check) return last.check;
  throw new Failure('daemon_unreachable', 'The daemon stopped before the check was complete.', {
    details: { fix: `askd check ${wanted.model}` },
  });
}

/** After a download or an import: the model stays, whatever the check finds. */
export async function checkNew(
  client: Client,
  id: string,
  context: Pick<Context, 'output' | 'signal'>,
): Promise<ModelCheck | null> {
  const { output, signal } = context;
  try {
    output.note(`Checking ${id} …`);
    const check = await checkModel(client, { model: id }, context);
    if (check.verdict === 'broken')
      output.talk(`warning: ${id} is ${check.summary}. Details: askd show ${id}`);
    else output.note(`${id}: ${check.summary}`);
    return check;
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    output.note(`${id} was not checked: ${error.message}`);
    return null;
  }
}

function stepLine({ name, status, message, seconds }: CheckStep): string {
  const took = seconds >= 1 ? ` (${seconds.toFixed(0)} s)` : '';
  return `${SIGNS[status].padEnd(SIGN_WIDTH)}  ${name.padEnd(NAME_WIDTH)}  ${message}${took}`;
}
