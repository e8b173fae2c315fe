import { readFile } from 'node:fs/promises';
import { Failure } from '../../../src/base/errors.ts';
import { readStdin } from '../../chat/prompt.ts';
import type { Context } from '../../context.ts';

export type InputOptions = { file?: readonly string[] };

/** The texts of a command: each argument is one, and so is each line of a file or of stdin. */
export async function readInputs(
  context: Context,
  { args, options, example }: { args: readonly string[]; options: InputOptions; example: string },
): Promise<string[]> {
  const typed = args.filter((word) => word !== '-');
  const files = await Promise.all((options.file ?? []).map(readLines));
  const nothingGiven = typed.length === 0 && files.length === 0;
  const wantsStdin = args.includes('-') || (nothingGiven && !context.io.stdin.isTTY);
  const piped = wantsStdin ? linesOf(await readStdin(context.io.stdin, context.output, context.signal)) : [];
  const inputs = [...typed, ...files.flat(), ...piped];
  if (inputs.length > 0) return inputs;
  throw new Failure('missing_required_parameter', 'There is no text.', { details: { fix: example } });
}

export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Failure('not_found', `The file ${path} cannot be read.`, { cause });
  }
}

/** One text of any number of lines: an argument, a file, or stdin. */
export async function readWholeText(
  { io, output, signal }: Context,
  args: readonly string[],
  file: string | undefined,
): Promise<string> {
  const typed = args.filter((word) => word !== '-').join(' ');
  if (typed !== '' && file === undefined) return typed;
  if (file !== undefined) return readTextFile(file);
  return io.stdin.isTTY ? '' : readStdin(io.stdin, output, signal);
}

async function readLines(path: string): Promise<string[]> {
  return linesOf(await readTextFile(path));
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}
