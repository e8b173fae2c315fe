import { createReadStream, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from '../../../src/base/errors.ts';

/** The URL of the first request, which is that of all requests. */
export async function firstUrl(path: string): Promise<string> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new Failure('not_found', `There is no file ${path}.`);
  const file = createReadStream(path, { encoding: 'utf8' });
  try {
    for await (const line of createInterface({ input: file })) {
      if (line.trim() === '') continue;
      const url = urlOf(line);
      if (url !== undefined) return url;
      break;
    }
  } finally {
    file.destroy();
  }
  throw new Failure(
    'invalid_value',
    `The first line of ${path} is not a request: it must be {"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {…}}.`,
  );
}

function urlOf(line: string): string | undefined {
  try {
    const { url } = JSON.parse(line) as { url?: unknown };
    return typeof url === 'string' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Detected before hours of work, not after them. */
export function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure('invalid_value', `${path} is a folder. Name a file in it.`);
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Failure('not_found', `There is no folder ${dirname(path)}.`);
}
