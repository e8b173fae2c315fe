import { startTestDaemon } from '../../src/client/testing/daemon-process.ts';
import { aborted, runProgram } from '../command-line/run-program.ts';
import type { Context } from '../context.ts';

type Variables = Record<string, string>;

/**
 * Serves tests until their command ends or, without a command, until it is stopped. Resolves to the command's exit
 * code.
 */
export async function serveTests(context: Context, command: readonly string[], flags: string[]) {
  const { environment, output, signal } = context;
  const daemon = await startTestDaemon({ env: environment.env, flags });
  try {
    if (command.length > 0) return await runProgram(command, { ...environment.env, ...daemon.variables });
    output.result({ schema: 'serve-tests/1', ...daemon.variables }, () => exportsOf(daemon.variables));
    output.note('Serving tests. Ctrl-C stops it and deletes everything.');
    await Promise.race([daemon.ended, aborted(signal)]);
    return 0;
  } finally {
    await daemon.stop();
  }
}

function exportsOf(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}`)
    .join('\n');
}
