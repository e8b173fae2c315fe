import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchCalls } from './calls.ts';
import type { Context } from '../../context.ts';

/** Into a file, or to stdout, which stays open. */
export async function saveResults(
  calls: BatchCalls,
  fileId: string,
  { path, io }: { path: string | undefined; io: Context['io'] },
): Promise<void> {
  const target = path === undefined ? through(io.stdout) : createWriteStream(path, { mode: 0o600 });
  await pipeline(calls.content(fileId), target);
}

function through(stdout: Writable): Writable {
  return new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) });
}
