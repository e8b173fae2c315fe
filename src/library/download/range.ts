import { writeSync } from 'node:fs';
import { anySignal } from '../../base/any-signal.ts';
import { Failure } from '../../base/errors.ts';
import { headerOf, plainReason, type HubRequests } from '../hub/request.ts';
import { resolveAddress, type HubEntry } from '../hub/client.ts';
import { Interrupted } from '../hub/interrupted.ts';
import { refusalOf } from '../hub/refusal.ts';
import type { ByteRange } from '../hub/direct-download.ts';
import type { Part } from './parts.ts';

/** How often progress is reported to the journal and the hasher. */
const REPORT_BYTES = 1024 * 1024;
/** A connection slower than this for the whole stall timeout counts as stalled. */
const DRIP_BYTES_PER_SECOND = 1024;

/** The server ignored the range and sent the whole file. */
export class RangesIgnored extends Error {}

export type Source = {
  requests: HubRequests;
  endpoint: string;
  entry: HubEntry;
  /** The redirect target of the last request: valid for more parts until it expires. */
  signed: string | undefined;
  stallMs: number;
};

export type Fetching = {
  part: Part;
  /** A file descriptor. */
  file: number;
  /** Called after bytes were written. */
  onWritten: (bytes: number) => void;
  signal: AbortSignal;
};

/** Fetches the missing bytes of a part, as far as one connection gets. */
export async function fetchRange(source: Source, { part, file, onWritten, signal }: Fetching): Promise<void> {
  const { entry, requests } = source;
  const from = part.start + part.received;
  const isWhole = part.start === 0 && part.end === entry.bytes;
  const watch = watchSpeed(source.stallMs, signal);
  try {
    const headers: Record<string, string> =
      isWhole && from === 0 ? {} : { range: `bytes=${from}-${part.end - 1}` };
    const address = source.signed ?? resolveAddress(source.endpoint, entry);
    const { answer, url } = await requests.fetch(address, { headers, signal: watch.signal });
    check(answer, { source, from, url, isAll: isWhole && from === 0 });
    if (new URL(url).origin !== new URL(source.endpoint).origin) source.signed = url;
    await pour(answer, { part, file, onWritten, onBytes: watch.count });
  } catch (error) {
    throw watch.reason() ?? error;
  } finally {
    watch.stop();
  }
}

type Checked = { source: Source; from: number; url: string; isAll: boolean };

function check(answer: ByteRange, { source, from, url, isAll }: Checked): void {
  const { entry, endpoint } = source;
  const { statusCode: status } = answer;
  if (status === 206 || (status === 200 && isAll))
    return checkLength(answer, { entry, from, isAll: status === 200 });
  // Continuing would download the whole file for nothing.
  answer.drop();
  if (status === 200) throw new RangesIgnored();
  const { repo, path, commit } = entry;
  if (new URL(url).origin === new URL(endpoint).origin) {
    throw refusalOf(answer, { endpoint, repo, path, revision: commit });
  }
  // The storage behind the hub failed, not the hub: an expired signed URL, or a temporary error.
  source.signed = undefined;
  const refusal = refusalOf(answer, { endpoint, repo, path });
  throw refusal instanceof Interrupted ? refusal : new Interrupted(`the hub's storage answered ${status}`);
}

function checkLength(
  answer: ByteRange,
  { entry, from, isAll }: { entry: HubEntry; from: number; isAll: boolean },
): void {
  const stated = isAll
    ? { start: 0, total: Number(headerOf(answer, 'content-length') ?? entry.bytes) }
    : readContentRange(headerOf(answer, 'content-range'));
  if (stated?.start === from && stated.total === entry.bytes) return;
  answer.drop();
  throw new Failure(
    'download_damaged',
    `${entry.repo}/${entry.path} should have ${entry.bytes} bytes, but the server has ` +
      `${stated?.total ?? 'an unknown number'}. Try again later; if it persists, its owner must fix it.`,
  );
}

function readContentRange(header: string | undefined): { start: number; total: number } | undefined {
  const found = /^bytes (\d+)-\d+\/(\d+)$/.exec(header ?? '');
  return found ? { start: Number(found[1]), total: Number(found[2]) } : undefined;
}

type Pouring = Pick<Fetching, 'part' | 'file' | 'onWritten'> & { onBytes: (bytes: number) => void };

/**
 * Writes each chunk while it is still in the processor's cache. This thread does nothing else, so it may wait for the
 * disk; unread data waits in the socket.
 */
async function pour(answer: ByteRange, { part, file, onWritten, onBytes }: Pouring): Promise<void> {
  let position = part.start + part.received;
  let reported = position;

  function report(): void {
    if (position > reported) onWritten(position - reported);
    reported = position;
  }

  function take(chunk: Buffer): void {
    onBytes(chunk.length);
    if (position + chunk.length > part.end) throw new Interrupted('the server sent more than requested');
    writeAll(file, chunk, position);
    position += chunk.length;
    if (position - reported >= REPORT_BYTES) report();
  }

  try {
    await answer.pour(take);
  } catch (cause) {
    if (cause instanceof Failure || cause instanceof Interrupted) throw cause;
    throw new Interrupted(plainReason(cause), { cause });
  } finally {
    // What arrived before the connection broke is good.
    report();
  }
  if (position < part.end) throw new Interrupted('the response ended early');
}

function writeAll(file: number, bytes: Buffer, at: number): void {
  try {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(file, bytes, written, bytes.length - written, at + written);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? diskFull(error) : error;
  }
}

function diskFull(cause?: unknown): Failure {
  return new Failure(
    'disk_full',
    'The disk is full. The partial download is kept: free some space, then repeat the same askd pull command.',
    { cause },
  );
}

/** Ends a connection that is silent, or so slow that it might as well be. */
function watchSpeed(stallMs: number, signal: AbortSignal) {
  const controller = new AbortController();
  let bytes = 0;
  const timer = setInterval(() => {
    if (bytes < (DRIP_BYTES_PER_SECOND * stallMs) / 1000) {
      controller.abort(new Interrupted(`almost no data for ${stallMs / 1000} s`));
    }
    bytes = 0;
  }, stallMs);
  return {
    signal: anySignal(controller.signal, signal),
    count: (more: number) => void (bytes += more),
    reason: () =>
      controller.signal.aborted && !signal.aborted ? (controller.signal.reason as Error) : undefined,
    stop: () => clearInterval(timer),
  };
}
