import { readFileSync } from 'node:fs';
import { PASSPHRASE_LENGTH_MIN } from '../../../src/backup/sealed-secrets.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Context } from '../../context.ts';

export type PassphraseOptions = { passphraseFile?: string; secrets: boolean };

/** Undefined leaves the secrets out, which must be requested explicitly. */
export async function passphraseToSeal(context: Context, options: PassphraseOptions, file: string) {
  if (!options.secrets) return undefined;
  if (options.passphraseFile !== undefined) return longEnough(readPassphrase(options.passphraseFile));
  const fix = `askd backup ${file} --passphrase-file FILE, or leave them out: askd backup ${file} --no-secrets`;
  const first = longEnough(await ask(context, 'Passphrase for the secrets in it (not shown): ', fix));
  if ((await ask(context, 'Repeat it: ', fix)) === first) return first;
  throw new Failure('invalid_value', 'The two passphrases differ. Nothing was written.');
}

export async function passphraseToOpen(context: Context, options: PassphraseOptions, file: string) {
  if (options.passphraseFile !== undefined) return readPassphrase(options.passphraseFile);
  const fix = `askd restore ${file} --passphrase-file FILE, or leave them out: askd restore ${file} --no-secrets`;
  return ask(context, 'Passphrase of this backup (not shown): ', fix);
}

async function ask({ io, signal }: Context, question: string, fix: string): Promise<string> {
  if (!io.stdin.isTTY) {
    throw new Failure(
      'missing_required_parameter',
      'The secrets in a backup are encrypted with a passphrase.',
      {
        details: { fix },
      },
    );
  }
  const { askHidden } = await import('../../prompt/hidden.ts');
  return askHidden(question, io, signal);
}

function readPassphrase(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Failure(
      'not_found',
      `The passphrase cannot be read from ${path}: ${(cause as Error).message}.`,
      { cause },
    );
  }
}

function longEnough(passphrase: string): string {
  if (passphrase.length >= PASSPHRASE_LENGTH_MIN) return passphrase;
  throw new Failure('invalid_value', `A passphrase has at least ${PASSPHRASE_LENGTH_MIN} characters.`);
}
