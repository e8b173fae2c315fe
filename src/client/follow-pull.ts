import { AskdError } from './error.ts';
import type { RequestOptions } from './send.ts';

type Pull = { id: string; state: string; error: { code: string; message: string } | null };
type Pulls = {
  start(body: unknown, options?: RequestOptions): Promise<{ pull: Pull | null }>;
  watch(id: string, options?: RequestOptions): AsyncIterable<Pull>;
};

const NOT_DOWNLOADED = 409;

/** Starts or joins a download and yields its progress until the model is ready; yields nothing if it already is. */
export function createFollow(pulls: Pulls) {
  return async function* follow(body: unknown, options?: RequestOptions): AsyncGenerator<Pull> {
    const { pull } = await pulls.start(body, options);
    if (pull === null) return;
    let last = pull;
    for await (last of pulls.watch(pull.id, options)) yield last;
    if (last.state === 'done') return;
    const error = last.error ?? { code: `download_${last.state}`, message: `The download is ${last.state}.` };
    throw new AskdError(NOT_DOWNLOADED, { error });
  };
}
