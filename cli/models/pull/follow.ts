import type { Pull } from '../../../src/api/management/library.ts';
import { Failure, isFailureCode } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { lineReporter, screenReporter, silentReporter, type Reporter } from './reporter.ts';

/** Shows a download until it ends. If the viewer leaves early, the daemon continues it. */
export async function followPull(client: Client, first: Pull, context: Context): Promise<Pull> {
  const { output, signal } = context;
  const reporter = reporterFor(context);
  let last = first;
  try {
    for await (last of client.pullEvents(first.id)) {
      if (output.json) output.line(JSON.stringify({ schema: 'pull-progress/1', ...last }));
      reporter.show(last);
    }
  } catch (error) {
    reporter.end();
    if (signal.aborted) output.note(stillGoing(first.model));
    const isDaemonGone = error instanceof Failure && /^(shutting_down|daemon_unreachable)$/.test(error.code);
    throw isDaemonGone ? interrupted(first.model) : error;
  }
  reporter.end();
  return finished(last);
}

function reporterFor({ output, io }: Context): Reporter {
  if (output.quiet || output.json) return silentReporter;
  return io.stderr.isTTY ? screenReporter(io.stderr) : lineReporter(output.note);
}

/** Nothing is lost when the daemon stops: the next one resumes. */
function interrupted(model: string): Failure {
  return new Failure(
    'daemon_unreachable',
    `The daemon stopped before the download was complete. To resume: askd pull ${model}`,
  );
}

function finished(pull: Pull): Pull {
  if (pull.state === 'done') return pull;
  if (pull.state === 'paused') throw paused(pull.model);
  if (pull.error) throw failureOf(pull.error);
  throw interrupted(pull.model);
}

function paused(model: string): Failure {
  return new Failure('download_paused', `The download of ${model} was paused.`, {
    details: { fix: `askd pull ${model}` },
  });
}

function failureOf({ code, message }: { code: string; message: string }): Failure {
  return new Failure(isFailureCode(code) ? code : 'internal_error', message);
}

export function stillGoing(model: string): string {
  return `The download continues in the background. To watch it: askd pull ${model}. To pause it: askd pull --pause ${model}. To cancel it: askd pull --cancel ${model}`;
}
