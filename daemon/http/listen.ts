import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../src/base/errors.ts';

/** So many ports after a taken one are tried before the system chooses one. */
const PORTS_NEAR = 20;
const LAST_PORT = 65_535;

type Address = { host: string; port: number };

/** Resolves to the port, which the system chooses for port 0. */
export async function listen(
  app: Pick<FastifyInstance, 'listen' | 'server'>,
  wanted: Address,
): Promise<number> {
  try {
    await app.listen(wanted);
  } catch (cause) {
    throw await explain(cause as NodeJS.ErrnoException, wanted);
  }
  return (app.server.address() as AddressInfo).port;
}

async function explain(cause: NodeJS.ErrnoException, { host, port }: Address): Promise<Error> {
  const what = `Cannot listen on ${host}:${port} (${cause.code}).`;
  if (cause.code === 'EADDRNOTAVAIL') {
    const fix = 'askd config set host 127.0.0.1';
    const message = `${what} This machine has no such address. Choose one of its own: ${fix}`;
    return new Failure('address_in_use', message, { cause, details: { fix } });
  }
  if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') return cause;
  const fix = `ASKD_PORT=${await freePort(host, port)} askd up`;
  return new Failure('address_in_use', `${what} Free it, or choose another port: ${fix}`, {
    cause,
    details: { fix },
  });
}

/** The next port after the taken one that nothing listens on. */
export async function freePort(host: string, taken: number): Promise<number> {
  for (let port = taken + 1; port <= Math.min(taken + PORTS_NEAR, LAST_PORT); port += 1) {
    if (await tryPort(host, port)) return port;
  }
  return (await tryPort(host, 0)) ?? taken;
}

async function tryPort(host: string, port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
