import { createContext, Script, type Context } from 'node:vm';
import { Failure } from '../../../../src/base/errors.ts';

const LIMIT_MS = 1_000;

const TEST = new Script('new RegExp(pattern, flags).test(text)');
let sandbox: Context | undefined;

/**
 * Some patterns take longer than the age of the universe on a text that almost matches; this gives up after a second.
 */
export function matches(pattern: string, flags: string, text: string): boolean {
  sandbox ??= createContext({}, { codeGeneration: { strings: false, wasm: false } });
  Object.assign(sandbox, { pattern, flags, text });
  try {
    return TEST.runInContext(sandbox, { timeout: LIMIT_MS }) as boolean;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
    throw new Failure(
      'invalid_value',
      `The pattern ${pattern} takes too long on this answer: more than ${LIMIT_MS / 1000} s.`,
      { cause },
    );
  }
}

/** Why it is not a regular expression; undefined if it is one. */
export function objectionTo(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (cause) {
    return (cause as Error).message;
  }
}
