import type { TLSSocket } from 'node:tls';

const KEPT_MAX = 200;
const KEPT_MS = 600_000;

export type TlsSessions = ReturnType<typeof createTlsSessions>;

/**
 * What a host gave us to greet it faster the next time, on another socket. It stands for the certificate that was checked
 * when it was given, so it belongs to one name and port and is soon forgotten.
 */
export function createTlsSessions() {
  const kept = new Map<string, { session: Buffer; at: number }>();
  return {
    of(host: string): Buffer | undefined {
      const found = kept.get(host);
      return found && performance.now() - found.at < KEPT_MS ? found.session : undefined;
    },
    /** Only of a socket whose certificate has been checked. A short greeting prolongs nothing. */
    keepFrom(socket: TLSSocket, host: string): void {
      socket.once('session', (session: Buffer) => {
        const at = socket.isSessionReused() ? (kept.get(host)?.at ?? -Infinity) : performance.now();
        kept.delete(host);
        kept.set(host, { session, at });
        const [oldest] = kept.keys();
        if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
      });
    },
  };
}
