import type { FastifyRequest } from 'fastify';

/** How long a body is drained before the answer, and after the answer to a client that is still sending. */
const WAIT_MS = 30_000;
const LINGER_MS = 5_000;

/** A client that is answered while it sends may see a broken connection instead of the answer. */
export function hasUnreadBody({ raw, headers, batch }: FastifyRequest): boolean {
  if (raw.complete || batch) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Drains the rest of a body. Resolves at its end, when it is too long, or after a timeout. */
export function readToEnd({ raw }: FastifyRequest, bytesMax: number): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) finish();
    };
    const finish = () => {
      clearTimeout(timer);
      raw.off('data', count).off('end', finish).off('close', finish);
      resolve();
    };
    const timer = setTimeout(finish, WAIT_MS);
    raw.on('data', count).on('end', finish).on('close', finish);
    raw.resume();
  });
}

/** After an answer, the rest of the body is drained for a while, then the connection is closed. */
export function endUpload({ raw }: FastifyRequest): void {
  raw.resume();
  setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, LINGER_MS).unref();
}
