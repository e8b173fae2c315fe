import { Failure } from '../../base/errors.ts';
import { Interrupted } from '../hub/interrupted.ts';
import { createHubRequests, headerOf, type Answer, type HubAccess } from '../hub/request.ts';
import { withRetries } from '../hub/retry.ts';
import { catalogInvalid, catalogUnavailable } from './failures.ts';

/** Ours has about 30 KB. */
const BYTES_MAX = 4 * 1024 * 1024;

export type CatalogAccess = Pick<HubAccess, 'proxy' | 'stallMs'> & { retryMs: number };

/** The text at a URL, following redirects. No credential is sent: the signature decides, whoever serves the file. */
export async function fetchCatalog(
  url: string,
  { retryMs, ...access }: CatalogAccess,
  signal: AbortSignal,
): Promise<string> {
  const requests = createHubRequests({ ...access, endpoint: url, token: undefined });
  try {
    return await withRetries(
      async () => {
        const { answer, url: from } = await requests.ask(url, { signal });
        if (answer.statusCode !== 200) {
          await answer.body.dump();
          throw refusalOf(answer.statusCode, from);
        }
        return readText(answer, signal);
      },
      { retryMs, signal },
    );
  } catch (error) {
    const isRefused = error instanceof Failure && error.code === 'hub_unreachable';
    if (!(error instanceof Interrupted) && !isRefused) throw error;
    throw catalogUnavailable(
      `The catalogue could not be downloaded from ${url}: ${error.message.replace(/\.$/, '')}.`,
      {
        cause: error,
      },
    );
  } finally {
    await requests.close();
  }
}

function refusalOf(status: number, from: string): Failure | Interrupted {
  if (status >= 500 || status === 429) return new Interrupted(`${from} answered ${status}`);
  return catalogUnavailable(`There is no catalogue at ${from}: it answered ${status}.`, {
    fix: 'askd config get catalog_url',
  });
}

async function readText(answer: Answer, signal: AbortSignal): Promise<string> {
  const announced = Number(headerOf(answer, 'content-length') ?? 0);
  const pieces: Buffer[] = [];
  let bytes = announced;
  try {
    if (announced <= BYTES_MAX) {
      bytes = 0;
      for await (const piece of answer.body as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (bytes > BYTES_MAX) break;
        pieces.push(piece);
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw new Interrupted('the connection was lost before its end', { cause });
  }
  if (bytes <= BYTES_MAX) return Buffer.concat(pieces).toString('utf8');
  answer.body.on('error', () => undefined).destroy();
  throw catalogInvalid(`It is larger than ${BYTES_MAX / 1024 / 1024} MB, the maximum for a catalogue`);
}
