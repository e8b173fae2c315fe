import type { TLSSocket } from 'node:tls';

const KEPT_MAX = 200;
const KEPT_MS = 600_000;

export type TlsSessions = ReturnType<typeof createTlsSessions>;

/**
 * TLS session tickets, which make it faster to resume a session on another socket. A ticket stands for the
 * certificate that was checked when it was issued, so it belongs to one name and port and expires soon.
 */
export function createTlsSessions() {
  const kept = new Map<string, { session: Buffer; at: number }>();
  return {
    of(host: string): Buffer | undefined {
      const found = kept.get(host);
      return found && performance.now() - found.at < KEPT_MS ? found.session : undefined;
    },
    /** Only from a socket whose certificate was checked. Resuming a session does not extend it. */
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
