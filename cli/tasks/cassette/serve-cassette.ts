import { isAbsolute, join } from 'node:path';
import type { CassetteServer } from '../../../src/client/testing/cassette/server.ts';
import { aborted, runProgram } from '../../command-line/run-program.ts';
import type { Context } from '../../context.ts';

type Serving = {
  name: 'record' | 'replay';
  file: string;
  command: readonly string[];
  /** The key that programs send; without it, they send their own. */
  key: string | undefined;
};

/** A file named on the command line is relative to the folder where the command was typed. */
export function fileAt(file: string): string {
  return isAbsolute(file) ? file : join(process.cwd(), file);
}

/** Serves until the command ends or, without a command, until Ctrl-C. Resolves to the command's exit code. */
export async function serveCassette(
  context: Context,
  server: CassetteServer,
  serving: Serving,
): Promise<number> {
  const { environment, output, signal } = context;
  const { name, file, command, key } = serving;
  const variables = variablesOf(server, key);
  let code = 0;
  try {
    if (command.length > 0) code = await runProgram(command, { ...environment.env, ...variables });
    else {
      output.result({ schema: `${name}-serving/1`, file, ...variables }, () => exportsOf(variables));
      output.note(`${name === 'record' ? 'Recording' : 'Replaying'} ${file}. Ctrl-C stops it.`);
      await aborted(signal);
    }
  } finally {
    await server.close();
  }
  report(context, server, serving, code);
  return code;
}

function report(
  { output }: Context,
  { counts, leftOut }: CassetteServer,
  serving: Serving,
  code: number,
): void {
  const { name, file, command } = serving;
  const { recorded, replayed, unmatched } = counts;
  for (const each of leftOut) output.talk(`Not recorded: ${each}`);
  if (unmatched > 0) output.talk(`${requests(unmatched)} not in ${file}.`);
  if (output.json && command.length > 0) {
    const document = { file, exit_code: code, recorded, replayed, unmatched, left_out: leftOut };
    output.result({ schema: `${name}/1`, ...document }, () => '');
  } else if (name === 'record') {
    const old = replayed > 0 ? `, ${replayed} replayed` : '';
    output.note(`${recorded} recorded in ${file}${old}.`);
  }
}

function requests(count: number): string {
  return count === 1 ? '1 request was' : `${count} requests were`;
}

function variablesOf({ variables }: CassetteServer, key: string | undefined): Record<string, string> {
  if (key === undefined) return variables;
  return { ...variables, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, ASKD_API_KEY: key };
}

function exportsOf(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}`)
    .join('\n');
}
