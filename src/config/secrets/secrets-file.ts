import { readFileSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';
import { writePrivateFile } from '../../base/private-file.ts';

/** Where each secret is, and its value if it is in this file. Every process reads the same file, so all agree. */
export type SecretsFile = Readonly<Record<string, { value: string } | { keyring: true }>>;

export function readSecretsFile(path: string): SecretsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Failure('config_invalid', `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  try {
    return JSON.parse(text) as SecretsFile;
  } catch {
    // Without the cause, which would quote the file.
    throw new Failure('config_invalid', `${path} is not valid JSON. Move it away and set the secrets again.`);
  }
}

export function writeSecretsFile(path: string, file: SecretsFile): void {
  writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);
}
