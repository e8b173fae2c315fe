import { parseDuration } from '../../../../src/base/units.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { Context } from '../../../context.ts';

/** The daemon forgets an unfinished login after this time. */
const WAIT_MS_MAX = 10 * 60_000;

export function waitMsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const waitMs = parseDuration(text);
  if (waitMs !== undefined && waitMs > 0 && waitMs <= WAIT_MS_MAX) return waitMs;
  throw new Failure('invalid_value', `--wait is a time of at most 10m, such as 90s, not "${text}".`);
}

export async function readSecret({ io, output, signal }: Context): Promise<string> {
  const { readStdin } = await import('../../../chat/prompt.ts');
  const secret = (await readStdin(io.stdin, output, signal)).trim();
  if (secret !== '') return secret;
  throw new Failure('missing_required_parameter', 'Stdin is empty: the secret is read from it.');
}
