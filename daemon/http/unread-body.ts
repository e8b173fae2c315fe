import type { FastifyRequest } from 'fastify';

/** How long a client is listened to before the answer, and after the answer to one that still sends. */
const WAIT_MS = 30_000;
const LINGER_MS = 5_000;

/** A client that is answered while it sends may see a broken connection in place of the answer. */
export function hasUnreadBody({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads what is left of a body and throws it away. Resolves at its end, when it is too long, or when time is up. */
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

/** After an answer the rest of the body is thrown away for a while, then the connection. */
export function endUpload({ raw }: FastifyRequest): void {
  raw.resume();
  setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, LINGER_MS).unref();
}
