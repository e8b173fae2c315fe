import { createHash } from 'node:crypto';
import type { Progress } from '../../../src/api/ollama/models.ts';
import { Failure, isFailureCode } from '../../../src/base/errors.ts';
import type { Download } from '../../../src/library/download/downloads.ts';

/** The progress of a download, file by file, in Ollama's terms. */
export async function* toProgress(states: AsyncIterable<Download>): AsyncGenerator<Progress> {
  yield { status: 'pulling manifest' };
  let last: Download | undefined;
  for await (const state of states) {
    last = state;
    for (const { repo, path, bytes, received } of state.files) {
      const digest = digestOf(repo, path);
      yield { status: `pulling ${path}`, digest, total: bytes, completed: received };
    }
  }
  if (last?.state !== 'done') throw failureOf(last);
  yield { status: 'verifying sha256 digest' };
  yield { status: 'writing manifest' };
}

/** Clients tell files apart by it. */
function digestOf(repo: string, path: string): string {
  return `sha256:${createHash('sha256').update(`${repo}/${path}`).digest('hex')}`;
}

function failureOf(last: Download | undefined): Failure {
  if (last?.state === 'paused')
    return new Failure('download_paused', `The download is paused. To resume it: askd pull ${last.model}`);
  const { code = 'download_cancelled', message = 'The download ended early.' } = last?.error ?? {};
  return new Failure(isFailureCode(code) ? code : 'internal_error', message);
}
