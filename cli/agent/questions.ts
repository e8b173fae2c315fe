import { readFileSync } from 'node:fs';
import { Failure } from '../../src/base/errors.ts';

const QUESTIONS_MAX = 100;

/** The questions of a command line: a single one, or with --runs each argument and with --file each line. */
export function questionsOf(
  args: readonly string[],
  { runs, file }: { runs?: boolean | undefined; file?: string | undefined },
): string[] {
  if (file !== undefined && args.length > 0)
    throw new Failure('invalid_value', 'Give the questions either as arguments or with --file.');
  const questions = (file === undefined ? (runs ? args : [wholeOf(args)]) : linesOf(file))
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (questions.length > QUESTIONS_MAX)
    throw new Failure(
      'invalid_value',
      `There are ${questions.length} questions; at most ${QUESTIONS_MAX} can be asked at once.`,
    );
  if (questions.length > 0) return questions;
  throw new Failure('invalid_value', 'The question is missing. Try: askd agent "QUESTION"');
}

function wholeOf(args: readonly string[]): string {
  return args.length === 1 && args[0] === '-' ? readFileSync(0, 'utf8') : args.join(' ');
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').split(/\r?\n/);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Failure('not_found', `The file ${file} cannot be read: ${code}.`, {
      cause,
      details: { fix: `ls -l ${file}` },
    });
  }
}
