import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { hostOf, isSameAddress, portOf } from './guard.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import type { TlsSessions } from './tls-sessions.ts';

const ADDRESSES_MAX = 4;

export type Connecting = {
  url: URL;
  /** Each of them already checked by the guard. */
  addresses: readonly string[];
  timeoutMs: number;
  /** The trusted certificates. */
  secureContext: SecureContext;
  sessions: TlsSessions;
  signal: AbortSignal;
};

/** Connects only to one of the given addresses; no name is looked up here. */
export async function connect(connecting: Connecting): Promise<Socket> {
  const { url, addresses, timeoutMs, signal } = connecting;
  const tried = addresses.slice(0, ADDRESSES_MAX);
  const eachMs = Math.max(1_000, Math.floor(timeoutMs / tried.length));
  let failure: unknown;
  for (const address of tried) {
    try {
      const socket = await openTcp({ address, port: portOf(url), timeoutMs: eachMs, signal });
      return url.protocol === 'https:' ? await addTls(socket, connecting) : socket;
    } catch (error) {
      failure = error;
      if (signal.aborted || (error as OutboundError).kind === 'tls_failed') break;
    }
  }
  throw toOutboundError(failure);
}

type Opening = { address: string; port: number; timeoutMs: number; signal: AbortSignal };

async function openTcp({ address, port, timeoutMs, signal }: Opening): Promise<Socket> {
  const socket = connectTcp({ host: address, port, autoSelectFamily: false });
  await opened(socket, { event: 'connect', timeoutMs, signal });
  if (isSameAddress(socket.remoteAddress, address)) return socket;
  socket.destroy();
  throw new OutboundError('address_refused', 'the connection led to another address');
}

/** The certificate must match the name in the URL, whatever its address. */
async function addTls(
  socket: Socket,
  { url, secureContext, sessions, timeoutMs, signal }: Connecting,
): Promise<TLSSocket> {
  const host = hostOf(url).replace(/\.$/, '');
  const session = sessions.of(url.host);
  const secure = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    secureContext,
    ...(session && { session }),
    ALPNProtocols: ['http/1.1'],
  });
  try {
    await opened(secure, { event: 'secureConnect', timeoutMs, signal });
    sessions.keepFrom(secure, url.host);
    return secure;
  } catch (error) {
    socket.destroy();
    throw asTlsError(error);
  }
}

function asTlsError(error: unknown): OutboundError {
  const known = toOutboundError(error);
  const { code = '' } = (known.cause ?? {}) as NodeJS.ErrnoException;
  const isNetwork = known.kind !== 'connection_reset' || code === 'ECONNRESET' || code === 'EPIPE';
  return isNetwork ? known : new OutboundError('tls_failed', code || known.message, { cause: error });
}

type Waiting = { event: 'connect' | 'secureConnect'; timeoutMs: number; signal: AbortSignal };

/** A socket error without a listener would end the process, so one listener stays. */
function opened(socket: Socket, { event, timeoutMs, signal }: Waiting): Promise<void> {
  socket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      settle();
      socket.destroy();
      reject(toOutboundError(error));
    };
    const onTimeout = () => fail(new OutboundError('connection_timeout', 'no connection in time'));
    const onAbort = () => fail(signal.reason);
    const onClose = () => fail(new OutboundError('connection_reset', 'closed while connecting'));
    const timer = setTimeout(onTimeout, timeoutMs);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', fail).off('close', onClose);
    };
    socket
      .once(event, () => (settle(), resolve()))
      .once('error', fail)
      .once('close', onClose);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
