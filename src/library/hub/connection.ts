import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type Connection = ReturnType<typeof openConnection>;

export type Opening = {
  url: URL;
  /** The read buffer; the connections of a thread may share it. */
  piece: Buffer;
  onEnded: () => void;
};

/** A response that sends more than this while nobody reads is broken. */
const EARLY_BYTES_MAX = 1024 * 1024;

/** A dedicated connection to a server, with one reader at a time. */
export function openConnection({ url, piece, onEnded }: Opening) {
  let take = keep;
  let fail: ((error: Error) => void) | undefined;
  let ended: Error | undefined;
  /** What arrived before anyone was reading. */
  let early: Buffer[] = [];
  let earlyBytes = 0;
  const socket = openSocket(url, piece, (bytes) => take(bytes));
  socket.on('error', end);
  for (const event of ['end', 'close']) socket.on(event, () => end(brokenOff()));

  function keep(bytes: Buffer): void {
    early.push(Buffer.from(bytes));
    earlyBytes += bytes.length;
    if (earlyBytes > EARLY_BYTES_MAX) end(new Error('it sent unexpected data'));
  }

  function end(error: Error): void {
    if (ended) return;
    ended = error;
    socket.destroy();
    fail?.(error);
    onEnded();
  }

  return {
    end,
    send: (text: string) => socket.write(text, 'latin1'),
    /** Whether the connection can be reused: it is open, and nothing unexpected has arrived. */
    isFree: () => ended === undefined && early.length === 0,

    /** Passes incoming data to a reader until it returns something; an exception ends the connection. */
    read<Result>(reader: (bytes: Buffer) => Result | undefined): Promise<Result> {
      return new Promise((resolve, reject) => {
        let isOver = false;
        fail = reject;
        take = (bytes) => {
          if (isOver) return keep(bytes);
          try {
            const result = reader(bytes);
            if (result === undefined) return;
            isOver = true;
            fail = undefined;
            resolve(result);
          } catch (error) {
            isOver = true;
            end(error as Error);
          }
        };
        const waiting = early;
        early = [];
        earlyBytes = 0;
        for (const bytes of waiting) take(bytes);
        if (ended && !isOver) reject(ended);
      });
    },

    /** Pushes back what the reader did not consume. */
    unread: keep,
  };
}

function openSocket(url: URL, piece: Buffer, take: (bytes: Buffer) => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isTls = url.protocol === 'https:';
  const onread = {
    buffer: piece,
    callback: (bytes: number) => {
      take(piece.subarray(0, bytes));
      return true;
    },
  };
  const where: TcpNetConnectOpts = {
    host,
    port: Number(url.port || (isTls ? 443 : 80)),
    noDelay: true,
    onread,
  };
  if (!isTls) return connectPlain(where);
  return connectTls({ ...where, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) });
}

function brokenOff(): NodeJS.ErrnoException {
  return Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
}
