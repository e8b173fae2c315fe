import { anySignal } from '../../base/any-signal.ts';
import { resolveAddress, type HubEntry } from './client.ts';
import { createHubRequests, type HubAccess } from './request.ts';

/** The beginning is requested in ranges, each this many times as long as all before it. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;
/** Headers with a large vocabulary have about 10 MB. */
const BYTES_MAX = 48 * 1024 * 1024;

/** How long a range may take: nobody waits longer to learn what a download is. */
const WAIT_MS_MAX = 10_000;

/** Why a beginning could not be read, which says nothing about the file. */
export type Unread = { unread: string };

/** What was parsed, and from how many bytes. */
export type Beginning<Result> = { parsed: Result; bytes: number; hasRanges: boolean };

type BeginningOf = Pick<HubEntry, 'repo' | 'commit' | 'path' | 'bytes'>;

/**
 * Reads a file of the hub from its start in growing ranges, until `parse` has enough. If a server does not support
 * ranges, the whole file is requested, and the request is ended after the same lengths. Connection errors are
 * reported; what `parse` throws is thrown.
 */
export async function readBeginning<Result>(
  entry: BeginningOf,
  { access, signal }: { access: HubAccess; signal: AbortSignal },
  parse: (beginning: Buffer) => Result | undefined,
): Promise<Beginning<Result> | Unread> {
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
      beginning = Buffer.concat([beginning.subarray(0, got.start), got.bytes]);
      const parsed = parse(beginning);
      if (parsed !== undefined) return { parsed, bytes: beginning.length, hasRanges: got.hasRanges };
    }
    return { unread: `it is not within the first ${most} bytes` };
  } finally {
    await requests.close();
  }
}

/** Small enough to be read completely. */
export async function readSmallFile(
  entry: BeginningOf,
  parts: { access: HubAccess; signal: AbortSignal },
): Promise<Buffer | Unread> {
  const read = await readBeginning(entry, parts, (beginning) =>
    beginning.length === entry.bytes ? beginning : undefined,
  );
  return 'unread' in read ? read : read.parsed;
}

type Range = { address: string; start: number; end: number; signal: AbortSignal };
type Got = { bytes: Buffer; start: number; hasRanges: boolean };

class EnoughReceived extends Error {}

async function readRange(
  requests: ReturnType<typeof createHubRequests>,
  { address, start: wanted, end, signal }: Range,
): Promise<Got | Unread> {
  const headers = { range: `bytes=${wanted}-${end - 1}` };
  const { answer } = await requests.fetch(address, { headers, signal });
  if (answer.statusCode !== 206 && answer.statusCode !== 200) {
    answer.drop();
    return { unread: `the server answered ${answer.statusCode}` };
  }
  const hasRanges = answer.statusCode === 206;
  const start = hasRanges ? wanted : 0;
  const pieces: Buffer[] = [];
  let received = 0;
  // A piece is valid until this returns.
  const take = (piece: Buffer) => {
    received += piece.length;
    if (hasRanges && received > end - start) throw new Error('the server sent more than requested');
    pieces.push(Buffer.from(piece));
    if (!hasRanges && received >= end) throw new EnoughReceived();
  };
  await answer.pour(take).catch((error: unknown) => {
    if (!(error instanceof EnoughReceived)) throw error;
  });
  if (received < end - start) return { unread: 'the server sent less than requested' };
  return { bytes: Buffer.concat(pieces).subarray(0, end - start), start, hasRanges };
}
