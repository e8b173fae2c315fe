import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../src/base/errors.ts';
import type { Services } from '../../compose.ts';
import { freePort } from '../../http/listen.ts';
import { markListener } from './access.ts';

/** Where Ollama's clients connect. Only programs on this machine can. */
const HOST = '127.0.0.1';
const CLOSE_LOOK_EVERY_MS = 25;

export type OllamaListener = Awaited<ReturnType<typeof listenForOllama>>;

/** A second listener for the same routes, with the same guards. */
export async function listenForOllama(app: FastifyInstance, { boot }: Pick<Services, 'boot'>, port: number) {
  const server = createServer((request, response) => {
    if (isRoot(request)) return answerRoot(request, response);
    markListener(request);
    app.routing(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => void explain(port, cause).then(reject));
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    /** After the running requests. */
    async close(): Promise<void> {
      const timer = setInterval(() => {
        if (boot.inFlight() === 0) server.closeAllConnections();
      }, CLOSE_LOOK_EVERY_MS);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(timer);
    },
  };
}

/** Clients detect Ollama by this page. */
function isRoot({ method, url }: IncomingMessage): boolean {
  return url === '/' && (method === 'GET' || method === 'HEAD');
}

function answerRoot({ method }: IncomingMessage, response: ServerResponse): void {
  const text = 'Ollama is running';
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length });
  response.end(method === 'HEAD' ? undefined : text);
}

async function explain(port: number, cause: NodeJS.ErrnoException): Promise<Error> {
  if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') return cause;
  return new Failure(
    'address_in_use',
    `Cannot listen on ${HOST}:${port} (${cause.code}), which ollama_port asks for. If Ollama itself runs there, stop it, ` +
      `or choose another port: askd config set ollama_port ${await freePort(HOST, port)}`,
    { cause },
  );
}
