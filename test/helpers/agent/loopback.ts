import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

/** A local server, for the duration of the test. */
export async function listen(handler: Handler): Promise<string> {
  const server = createServer((request, response) =>
    handler(request, response, new URL(request.url ?? '/', 'http://site')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}
