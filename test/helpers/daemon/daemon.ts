import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { loadSettings, readEnvironment } from '../../../src/config/config.ts';
import { compose } from '../../../daemon/compose.ts';
import { startLoops } from '../../../daemon/jobs.ts';
import { closeServer, createServer } from '../../../daemon/http/server.ts';
import { Failure } from '../../../src/base/errors.ts';
import { openLog } from '../../../src/log/log.ts';
import { createLogTail } from '../../../src/log/log-tail.ts';
import { removeHome } from '../temporary.ts';

export type TestDaemon = Awaited<ReturnType<typeof startDaemon>>;

/** Parts of the daemon that a test replaces. */
type Parts = Pick<Parameters<typeof compose>[0], 'catalog' | 'optionalEngines' | 'findDevices' | 'testClock'>;

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; json: <T>() => T };

/** The whole daemon in this process, on a free port, over a temporary home; stopped with its test. */
export async function startDaemon(env: Record<string, string> = {}, parts: Parts = {}) {
  const daemon = await openDaemon(env, undefined, parts);
  onTestFinished(daemon.close);
  return daemon;
}

/** For several tests: the caller closes it. */
export async function openDaemon(
  env: Record<string, string> = {},
  /** Adds to the server before it listens. */
  prepare: (server: FastifyInstance) => void = () => undefined,
  parts: Parts = {},
) {
  const home = mkdtempSync(join(tmpdir(), 'askd-test-'));
  const settings = await loadSettings(readEnvironment({ ASKD_HOME: home, ASKD_PORT: '0', ...env }));
  const level = settings.chosen.has('logLevel') ? settings.logLevel : 'debug';
  const logTail = createLogTail();
  const { log, close } = openLog({ paths: settings.paths, level, tail: logTail });
  const services = compose({ settings, log, logTail, ...parts });
  const server = createServer(services);
  prepare(server);
  await server.listen({ host: settings.host, port: 0 });
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  services.boot.listensOn(port);
  const stopLoops = await startLoops(services);
  async function closeAll(): Promise<void> {
    services.stopping.abort(new Failure('shutting_down', 'The test is over.'));
    await closeServer(server, services);
    await stopLoops();
    await services.close();
    await close();
    removeHome(home);
  }
  const key = services.keys.create({
    accountId: 'acct_local',
    name: 'test',
    scopes: ['chat', 'read'],
    expiresAt: null,
  }).key;

  function call(
    method: string,
    path: string,
    options: { body?: unknown; token?: string | null; headers?: Record<string, string> } = {},
  ) {
    const token = options.token === undefined ? services.rootToken.current() : options.token;
    const raw =
      options.body === undefined || typeof options.body === 'string'
        ? options.body
        : JSON.stringify(options.body);
    return send({
      port,
      method,
      path,
      body: raw,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(raw !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
    });
  }

  return { services, server, port, key, baseURL: `http://127.0.0.1:${port}/v1`, home, call, close: closeAll };
}

/** A bare HTTP request, with only the given headers. */
export function send({ body, ...options }: RequestOptions & { body?: string | undefined }): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as never,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
