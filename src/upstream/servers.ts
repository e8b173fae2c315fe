/** After a failure, a server is skipped, longer each time, but never so long that its recovery goes unnoticed. */
const REST_MS_MIN = 500;
const REST_MS_MAX = 30_000;

export type Server = {
  url: string;
  running: number;
  failures: number;
  restsUntil: number;
  /** Since the model was opened, unlike `failures`, which counts consecutive ones. */
  failuresTotal: number;
};

export type ServerState = { url: string; isAvailable: boolean; running: number; failuresTotal: number };

export type Servers = ReturnType<typeof createServers>;

/** Orders the servers of a model: healthy ones first, then the least busy. */
export function createServers(urls: readonly string[], now: () => number = () => performance.now()) {
  const servers: Server[] = urls.map((url) => ({
    url,
    ...{ running: 0, failures: 0, restsUntil: 0, failuresTotal: 0 },
  }));
  let turn = 0;

  return {
    /** All of them, best first: an unhealthy one is still better than none. */
    inOrder(): Server[] {
      turn += 1;
      const rotated = servers.map((_, index) => servers[(index + turn) % servers.length] as Server);
      const nowMs = now();
      const rest = (server: Server) => Math.max(0, server.restsUntil - nowMs);
      return rotated.toSorted((a, b) => rest(a) - rest(b) || a.running - b.running);
    },
    succeeded(server: Server): void {
      server.failures = 0;
      server.restsUntil = 0;
    },
    failed(server: Server): void {
      server.restsUntil = now() + Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** server.failures);
      server.failures += 1;
      server.failuresTotal += 1;
    },
    /** A skipped server is only asked if all are skipped; afterwards, it is not yet known to be healthy. */
    states: (): ServerState[] =>
      servers.map(({ url, running, failures, failuresTotal }) => ({
        ...{ url, running, failuresTotal },
        isAvailable: failures === 0,
      })),
  };
}
