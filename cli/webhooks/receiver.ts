import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Incoming = { headers: IncomingMessage['headers']; body: Buffer };

const BODY_BYTES_MAX = 1024 * 1024;

/** A receiver on this machine's loopback, on a free port. `answer` returns its status. */
export async function openReceiver(answer: (incoming: Incoming) => Promise<number>) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const incoming = { headers: request.headers, body: Buffer.concat(chunks) };
      answer(incoming).then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(500).end(),
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port, [Symbol.dispose]: close };
}
