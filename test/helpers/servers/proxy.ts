import { createServer, request as requestHttp } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A real proxy: it requests whole URLs, and connects TLS traffic to the server with this port. */
export async function openProxy(targetPort: number, refusal?: number) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    const { host, ...headers } = request.headers;
    const path = new URL(request.url ?? '').pathname;
    const sent = requestHttp(
      { port: targetPort, host: '127.0.0.1', method: request.method, path, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'x-asked-for': host });
        answer.pipe(response);
      },
    );
    request.pipe(sent);
  });
  server.on('connect', (request, socket) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const onward = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward])
      each.on('error', () => [socket, onward].forEach((end) => end.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://user:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
