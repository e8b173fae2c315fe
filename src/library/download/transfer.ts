import { existsSync, statSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { anySignal } from '../../base/any-signal.ts';
import { Failure } from '../../base/errors.ts';
import { entryFile } from '../../base/paths.ts';
import { unreachable, type HubEntry } from '../hub/client.ts';
import { createHubRequests, type HubRequests, type HubAccess } from '../hub/request.ts';
import { countAttempts } from '../hub/retry.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { startHasher, type Following, type Hasher } from './hasher.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from './concurrency-limit.ts';
import { openParts, type Part, type Parts } from './parts.ts';
import { fetchRange, RangesIgnored, type Source } from './range.ts';

export type TransferFile = {
  entry: HubEntry;
  /** Where the bytes are written. */
  blob: string;
  /** Local files that may be the same: used in place if their hash matches. */
  candidates: readonly string[];
};

export type TransferJob = {
  access: HubAccess;
  retryMs: number;
  connections: number;
  partBytes: number;
  files: readonly TransferFile[];
};

/** Where each file ended up, and whether this job downloaded it. */
export type TransferResult = { location: string; isFetched: boolean };

export type TransferReport = {
  received(file: number, bytes: number): void;
  verified(file: number, bytes: number): void;
  waiting(untilMs: number, reason: string): void;
  /** A complete file failed verification and is fetched once more. */
  restarted(file: number): void;
};

type Work = TransferJob & {
  requests: HubRequests;
  hasher: Hasher;
  limit: ConcurrencyLimit;
  report: TransferReport;
  signal: AbortSignal;
};

/** A part counts as progressing once a connection has delivered this much. */
const PROGRESS_BYTES_MIN = 64 * 1024;

/**
 * Fetches files in parts over a few connections, verifies each by its hash, and only then gives it its final name.
 */
export async function transfer(
  job: TransferJob,
  report: TransferReport,
  signal: AbortSignal,
): Promise<TransferResult[]> {
  const ended = new AbortController();
  const requests = createHubRequests(job.access);
  const hasher = startHasher(entryFile('src/library/download/hash-worker.js'));
  const limit = createConcurrencyLimit(job.connections);
  const work: Work = {
    ...job,
    requests,
    hasher,
    limit,
    report,
    signal: anySignal(signal, ended.signal),
  };
  try {
    const fetched = job.files.map((file, index) =>
      obtain(file, index, work).catch((error: unknown) => {
        ended.abort(error);
        throw error;
      }),
    );
    await Promise.allSettled(fetched);
    if (ended.signal.aborted) throw unreachable(ended.signal.reason, job.access.endpoint);
    return await Promise.all(fetched);
  } finally {
    await Promise.all([requests.close(), hasher.close()]);
  }
}

async function obtain(file: TransferFile, index: number, work: Work): Promise<TransferResult> {
  for (const path of [file.blob, ...file.candidates]) {
    if (await isGood(path, file.entry, index, work)) {
      work.report.received(index, file.entry.bytes);
      return { location: path, isFetched: false };
    }
  }
  makeFolder(dirname(file.blob));
  const target = `${file.blob}.askd.incomplete`;
  for (let attempt = 1; ; attempt++) {
    const parts = openParts(`${file.blob}.askd.parts`, {
      bytes: file.entry.bytes,
      partBytes: work.partBytes,
    });
    if (!existsSync(target)) parts.begin();
    const digest = await fetchAndHash({ file, index, target, parts }, work);
    if (digest === file.entry.hash.value) {
      await rename(target, file.blob);
      parts.remove();
      return { location: file.blob, isFetched: true };
    }
    await rm(target, { force: true });
    parts.remove();
    if (attempt > 1) throw damaged(file.entry, digest);
    work.report.restarted(index);
  }
}

async function isGood(path: string, { bytes, hash }: HubEntry, index: number, work: Work): Promise<boolean> {
  if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return false;
  const following = work.hasher.follow(path, hash, bytes, (position) =>
    work.report.verified(index, position),
  );
  following.advance(bytes);
  return (await following.digest().catch(() => 'unreadable')) === hash.value;
}

type Fetch = { file: TransferFile; index: number; target: string; parts: Parts };

async function fetchAndHash(fetch: Fetch, work: Work): Promise<string> {
  const { file, index, target, parts } = fetch;
  const { entry } = file;
  const handle = await open(target, existsSync(target) ? 'r+' : 'w+', 0o644);
  const follow = () =>
    work.hasher.follow(target, entry.hash, entry.bytes, (at) => work.report.verified(index, at));
  let following = follow();
  try {
    await handle.truncate(entry.bytes);
    work.report.received(index, parts.received());
    following.advance(parts.prefix());
    try {
      await fetchParts(fetch, { handle, following }, work);
    } catch (error) {
      if (!(error instanceof RangesIgnored)) throw error;
      parts.begin();
      following.close();
      following = follow();
      await work.limit(() => fetchWhole(fetch, { handle, following }, work));
    }
    return await following.digest();
  } finally {
    following.close();
    await handle.close();
  }
}

type Into = { handle: FileHandle; following: Following };

async function fetchParts(
  { file, index, parts }: Fetch,
  { handle, following }: Into,
  work: Work,
): Promise<void> {
  const stopped = new AbortController();
  const signal = anySignal(work.signal, stopped.signal);
  const source: Source = { ...sourceOf(file, work), signed: undefined };
  const onWritten = (part: Part) => (bytes: number) => {
    part.received += bytes;
    parts.keep(part);
    work.report.received(index, parts.received());
    following.advance(parts.prefix());
  };
  const missing = parts.parts.filter((part) => part.received < part.end - part.start);
  const fetched = missing.map((part) =>
    work
      .limit(() => fetchPart(source, { part, file: handle.fd, onWritten: onWritten(part), signal }, work))
      .catch((error: unknown) => {
        stopped.abort(error);
        throw error;
      }),
  );
  await Promise.allSettled(fetched);
  if (stopped.signal.aborted) throw stopped.signal.reason;
}

/**
 * For a server without ranges: from the first byte to the last, and from the beginning again after a broken
 * connection.
 */
async function fetchWhole(
  { file, index, parts }: Fetch,
  { handle, following }: Into,
  work: Work,
): Promise<void> {
  const { entry } = file;
  const part: Part = { index: 0, start: 0, end: entry.bytes, received: 0 };
  const source: Source = { ...sourceOf(file, work), signed: undefined };
  const attempts = countAttempts(retryPolicyOf(work, work.signal));
  let hashed = 0;
  const onWritten = (bytes: number) => {
    part.received += bytes;
    work.report.received(index, part.received);
    hashed = Math.max(hashed, part.received);
    following.advance(hashed);
  };
  while (part.received < entry.bytes) {
    part.received = 0;
    try {
      await fetchRange(source, { part, file: handle.fd, onWritten, signal: work.signal });
    } catch (error) {
      await attempts.after(error);
    }
  }
  parts.begin();
}

type FetchingPart = Parameters<typeof fetchRange>[1];

async function fetchPart(source: Source, fetching: FetchingPart, work: Work): Promise<void> {
  const { part, signal } = fetching;
  const attempts = countAttempts(retryPolicyOf(work, signal));
  while (part.received < part.end - part.start) {
    const before = part.received;
    signal.throwIfAborted();
    try {
      await fetchRange(source, fetching);
    } catch (error) {
      if (part.received - before >= PROGRESS_BYTES_MIN) attempts.progress();
      await attempts.after(error);
    }
  }
}

function sourceOf({ entry }: TransferFile, { requests, access }: Work) {
  return { requests, endpoint: access.endpoint, entry, stallMs: access.stallMs };
}

function retryPolicyOf({ retryMs, report }: Work, signal: AbortSignal) {
  const onWait = (waitMs: number, reason: string) => report.waiting(Date.now() + waitMs, reason);
  return { retryMs, signal, onWait };
}

function damaged({ repo, path, hash }: HubEntry, digest: string): Failure {
  return new Failure(
    'download_damaged',
    `${repo}/${path} failed verification twice: its ${hash.kind} should be ${hash.value} and is ${digest}. ` +
      'The download was discarded. A proxy may be altering files; otherwise try again later.',
  );
}
