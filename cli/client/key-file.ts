import { readFileSync, statSync } from 'node:fs';
import { Failure } from '../../src/base/errors.ts';

const OTHERS = 0o077;

/** The API key in a file, which is rejected if others can read it. */
export function readKeyFile(file: string): string {
  const { mode, text } = read(file);
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
    throw new Failure('config_invalid', `Other users can read the API key in ${file}.`, {
      details: { fix: `chmod 600 ${file}` },
    });
  if (/^\S+$/.test(text)) return text;
  throw new Failure('config_invalid', `${file} must hold one API key and nothing else.`, {
    details: { fix: `askd keys create --name NAME, then put the new key into ${file}` },
  });
}

function read(file: string): { mode: number; text: string } {
  try {
    return { mode: statSync(file).mode, text: readFileSync(file, 'utf8').trim() };
  } catch (cause) {
    throw new Failure('not_found', `The key file ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
      details: { fix: 'give --key-file the path of a file with the key in it' },
    });
  }
}
