import { openConnection, type Connection } from './connection.ts';
import { createHeadReader, lengthOf, staysOpen, writeRequest, type Head } from './head.ts';

/** A response whose body is passed on in chunks; a chunk is valid until its consumer returns. */
export type ByteRange = {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  pour(take: (piece: Buffer) => void): Promise<void>;
  /** Discards the body. */
  drop(): void;
};

export type DirectDownload = ReturnType<typeof createDirectDownload>;

/** Large enough to save calls, small enough to be written from the processor's cache. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads bodies from the socket into one reused buffer. General-purpose clients copy each byte twice more and leave
 * garbage, which costs more processor time than network and disk together. Supports what file servers send, and
 * reports anything else as unsupported.
 */
export function createDirectDownload() {
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const open = new Set<Connection>();
  const idle = new Map<string, Set<Connection>>();
  const unsupported = new Set<string>();

  function connectionsOf(origin: string): Set<Connection> {
    const known = idle.get(origin) ?? new Set();
    idle.set(origin, known);
    return known;
  }

  function connect(url: URL): Connection {
    const connection = openConnection({
      url,
      piece,
      onEnded() {
        open.delete(connection);
        connectionsOf(url.origin).delete(connection);
      },
    });
    open.add(connection);
    return connection;
  }

  function takeIdle(origin: string): Connection | undefined {
    const known = connectionsOf(origin);
    for (const connection of known) {
      known.delete(connection);
      if (connection.isFree()) return connection;
      connection.end(new Error('it sent unexpected data'));
    }
    return undefined;
  }

  function release(connection: Connection, origin: string, head: Head): void {
    if (connection.isFree() && staysOpen(head)) connectionsOf(origin).add(connection);
    else connection.end(new Error('no longer needed'));
  }

  /** One request over one connection. */
  async function ask({ url, request, signal }: Question, connection: Connection): Promise<Outcome> {
    const stop = () => connection.end(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    const over = () => signal.removeEventListener('abort', stop);
    const reader = createHeadReader();
    try {
      connection.send(request);
      const head = await connection.read((bytes) => reader.read(bytes, connection.unread));
      const length = head === 'unknown' ? undefined : lengthOf(head);
      if (head === 'unknown' || (length === undefined && head.statusCode < 300)) {
        over();
        connection.end(new Error('not understood'));
        return { is: 'strange' };
      }
      const done = () => {
        over();
        release(connection, url.origin, head);
      };
      return { is: 'answered', range: byteRangeOf(connection, head, { length, over, done }) };
    } catch (error) {
      over();
      return { is: 'broken', error: error as Error, hasBegun: reader.hasBegun() };
    }
  }

  return {
    /** Undefined if the response does not plainly state its length. The signal ends a silent one. */
    async get(
      url: URL,
      headers: Record<string, string>,
      signal: AbortSignal,
    ): Promise<ByteRange | undefined> {
      const question = { url, request: writeRequest(url, headers), signal };
      while (!unsupported.has(url.origin)) {
        signal.throwIfAborted();
        const kept = takeIdle(url.origin);
        const outcome = await ask(question, kept ?? connect(url));
        if (outcome.is === 'answered') return outcome.range;
        if (outcome.is === 'strange') unsupported.add(url.origin);
        // A kept-alive connection may be closed just as it is reused.
        else if (kept === undefined || outcome.hasBegun) throw outcome.error;
      }
      return undefined;
    },

    close(): void {
      for (const connection of [...open]) connection.end(new Error('closed'));
    },
  };
}

type Question = { url: URL; request: string; signal: AbortSignal };

type Outcome =
  | { is: 'answered'; range: ByteRange }
  | { is: 'strange' }
  | { is: 'broken'; error: Error; hasBegun: boolean };

type Ending = { length: number | undefined; over: () => void; done: () => void };

function byteRangeOf(connection: Connection, head: Head, { length, over, done }: Ending): ByteRange {
  return {
    ...head,
    async pour(take) {
      let left = length ?? 0;
      try {
        if (left > 0) await connection.read(pass);
        done();
      } finally {
        over();
      }

      function pass(bytes: Buffer): true | undefined {
        const mine = bytes.length > left ? bytes.subarray(0, left) : bytes;
        if (bytes.length > mine.length) connection.unread(bytes.subarray(left));
        take(mine);
        left -= mine.length;
        return left === 0 ? true : undefined;
      }
    },
    drop() {
      if (length === 0) return done();
      over();
      connection.end(new Error('not wanted'));
    },
  };
}
