import { anySignal } from '../../base/any-signal.ts';
import { resolveAddress, type HubEntry } from './client.ts';
import { createHubRequests, type HubAccess } from './request.ts';

/** A beginning is asked for in ranges, each this many times as long as all before. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;
/** Headers with a large vocabulary have about 10 MB. */
const BYTES_MAX = 48 * 1024 * 1024;

/** How long a range may take: nobody waits for longer to be told what a download is. */
const WAIT_MS_MAX = 10_000;

/** Why a beginning could not be read, which says nothing about the file. */
export type Unread = { unread: string };

/**
 * Reads a file of the hub from its start by growing ranges, until `parse` has enough. What a connection or a server
 * without ranges prevents is told; what `parse` throws is thrown.
 */
export async function readBeginning<Result>(
  entry: HubEntry,
  { access, signal }: { access: HubAccess; signal: AbortSignal },
  parse: (beginning: Buffer) => Result | undefined,
): Promise<Result | Unread> {
  const requests = createHubRequests(access);
  const address = resolveAddress(access.endpoint, entry);
  const most = Math.min(entry.bytes, BYTES_MAX);
  let beginning: Buffer = Buffer.alloc(0);
  try {
    for (let end = FIRST_BYTES; beginning.length < most; end *= GROWTH) {
      const wanted = { start: beginning.length, end: Math.min(end, most) };
      const limit = anySignal(signal, AbortSignal.timeout(Math.min(access.stallMs, WAIT_MS_MAX)));
      const got = await readRange(requests, { address, ...wanted, signal: limit }).catch((error: unknown) => {
        signal.throwIfAborted();
        return { unread: error instanceof Error ? error.message : String(error) };
      });
      if ('unread' in got) return got;
      beginning = Buffer.concat([beginning, got]);
      const parsed = parse(beginning);
      if (parsed !== undefined) return parsed;
    }
    return { unread: `it is not within the first ${most} bytes` };
  } finally {
    await requests.close();
  }
}

type Range = { address: string; start: number; end: number; signal: AbortSignal };

async function readRange(
  requests: ReturnType<typeof createHubRequests>,
  { address, start, end, signal }: Range,
): Promise<Buffer | Unread> {
  const headers = { range: `bytes=${start}-${end - 1}` };
  const { answer } = await requests.fetch(address, { headers, signal });
  if (answer.statusCode !== 206) {
    answer.drop();
    const why = answer.statusCode === 200 ? 'the server sends no ranges' : `it answered ${answer.statusCode}`;
    return { unread: why };
  }
  const pieces: Buffer[] = [];
  let received = 0;
  // A piece is valid until this returns.
  await answer.pour((piece) => {
    received += piece.length;
    if (received > end - start) throw new Error('the server sent more than asked');
    pieces.push(Buffer.from(piece));
  });
  if (received < end - start) return { unread: 'the server sent less than asked' };
  return Buffer.concat(pieces);
}
