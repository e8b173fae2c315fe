import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createGuard } from '../../../src/net/guard.ts';
import { createOutbound, type OutboundRequest } from '../../../src/net/outbound.ts';
import { holesInGuard } from '../../../src/net/self-test.ts';
import { makeCertificates } from '../../../scripts/fixtures/certificates.ts';

const certificates = makeCertificates();
const loopback = ['127.0.0.0/8'];
const names = { 'hooks.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] };
const post = { method: 'POST', timeoutMs: 3_000, bodyBytesMax: 1024 } as const;

const guard = createGuard({
  allowCidrs: loopback,
  resolve: async (host) => names[host as keyof typeof names],
});
const trusting = createOutbound({ guard, extraCa: certificates.ca });

async function listen<S extends Server>(server: S): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function tcpServer(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onSocket(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

const secure = createHttps({ key: certificates.key, cert: certificates.cert }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
});
const greetings: ('full' | 'short')[] = [];
secure.on('secureConnection', (socket) => void greetings.push(socket.isSessionReused() ? 'short' : 'full'));
const securePort = await listen(secure);
afterAll(() => void secure.close());

const ask = (url: string, more: Partial<OutboundRequest> = {}) => trusting.request({ ...post, url, ...more });

test('a request that was aborted before it began fails as aborted, and resolving its name causes no failure', async () => {
  const offline = createGuard({ resolve: () => Promise.reject(new Error('no network')) });
  const { request } = createOutbound({ guard: offline });
  const left = AbortSignal.abort(new Error('the client left'));
  const failing = request({ ...post, url: 'https://hooks.example.com/', signal: left });
  await expect(failing).rejects.toThrow('the client left');
  // Node reports an unhandled rejection when its turn is over.
  await new Promise((resolve) => setImmediate(resolve));
});

describe('a request over TLS', () => {
  test('reaches a name with its path, headers and body', async () => {
    const { status, body } = await ask(`https://hooks.example.com:${securePort}/in?a=1`, {
      headers: { 'x-kind': 'test' },
      body: Buffer.from('hello'),
    });
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({
      method: 'POST',
      url: '/in?a=1',
      body: 'hello',
      headers: { host: `hooks.example.com:${securePort}`, 'x-kind': 'test', 'content-length': '5' },
    });
  });

  test('reaches an address whose certificate names it', async () => {
    expect(await ask(`https://127.0.0.1:${securePort}/`)).toMatchObject({ status: 200, isComplete: true });
  });

  test('refuses a certificate for another name, however often and whatever came before', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const refused = ask(`https://other.example.com:${securePort}/`);
      await expect(refused).rejects.toMatchObject({ kind: 'tls_failed' });
      expect(await ask(`https://hooks.example.com:${securePort}/`)).toMatchObject({ status: 200 });
    }
  });

  test('resumes the TLS session of a known host, on a socket of its own', async () => {
    const before = greetings.length;
    for (let turn = 0; turn < 3; turn++) await ask(`https://hooks.example.com:${securePort}/`);
    expect(greetings.slice(before + 1)).toEqual(['short', 'short']);
  });

  test('refuses a certificate of an unknown authority', async () => {
    const request = createOutbound({ guard }).request({ ...post, url: `https://127.0.0.1:${securePort}/` });
    await expect(request).rejects.toMatchObject({ kind: 'tls_failed' });
  });

  test('does not speak to a port without TLS', async () => {
    const port = await tcpServer((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'tls_failed' });
  });
});

describe('a bad receiver', () => {
  const oneSecond = { timeoutMs: 1_000, bodyTimeoutMs: 500 };

  test('that is not running is refused at once', async () => {
    const server = createTcp();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'connection_refused' });
  });

  test('that hangs up is a reset', async () => {
    const port = await tcpServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'connection_reset' });
  });

  test('that keeps silent is a timeout', async () => {
    const port = await tcpServer(() => undefined);
    await expect(ask(`http://127.0.0.1:${port}/`, oneSecond)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(ask(`https://127.0.0.1:${port}/`, oneSecond)).rejects.toMatchObject({
      kind: expect.stringMatching(/timeout$/),
    });
  });

  test('that sends its headers byte by byte is a timeout', async () => {
    const port = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const timer = setInterval(() => socket.write('a'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    await expect(ask(`http://127.0.0.1:${port}/`, oneSecond)).rejects.toMatchObject({ kind: 'timeout' });
  });

  test('that never ends its body still counts as having answered', async () => {
    const port = await tcpServer(
      (socket) => void socket.write('HTTP/1.1 204 OK\r\ncontent-length: 9\r\n\r\nab'),
    );
    const slow = await tcpServer(
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'),
    );
    expect(await ask(`http://127.0.0.1:${port}/`, oneSecond)).toMatchObject({ status: 204 });
    const { status, body, isComplete } = await ask(`http://127.0.0.1:${slow}/`, oneSecond);
    expect({ status, body: body.toString(), isComplete }).toEqual({
      status: 200,
      body: 'ab',
      isComplete: false,
    });
  });

  test('that sends endlessly is cut off', async () => {
    const port = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): unknown =>
        !socket.destroyed && (socket.write('x'.repeat(65_536)) ? setImmediate(more) : 0);
      socket.on('drain', more);
      more();
    });
    const { body, isComplete } = await ask(`http://127.0.0.1:${port}/`);
    expect({ bytes: body.length, isComplete }).toEqual({ bytes: 1024, isComplete: false });
  });

  test('that speaks another protocol is a protocol error', async () => {
    const port = await tcpServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: 'protocol_error' });
  });
});

test('a redirect is an answer, and is not followed', async () => {
  let visits = 0;
  const server = createHttp((_request, response) => {
    visits += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  onTestFinished(() => void server.close());
  const port = await listen(server);
  expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 302 });
  expect(visits).toBe(1);
});

test('every request has its own socket', async () => {
  const ports = new Set<number | undefined>();
  const server = createHttp((request, response) => {
    ports.add(request.socket.remotePort);
    response.end();
  });
  onTestFinished(() => void server.close());
  const port = await listen(server);
  for (let index = 0; index < 3; index++) await ask(`http://127.0.0.1:${port}/`);
  expect(ports.size).toBe(3);
});

test('a name is resolved for each request: one that turns bad gets nothing', async () => {
  let hits = 0;
  const port = await tcpServer(() => (hits += 1));
  const answers = [['93.184.215.14'], ['127.0.0.1']];
  const rebinding = createGuard({ resolve: async () => answers.shift() ?? ['127.0.0.1'] });
  const url = `https://rebind.example.com:${port}/`;
  await rebinding.check(url);
  const request = createOutbound({ guard: rebinding }).request({ ...post, url });
  await expect(request).rejects.toMatchObject({ kind: 'address_refused' });
  expect(hits).toBe(0);
});

test('the addresses of a name are tried in turn', async () => {
  const port = await tcpServer((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const both = createGuard({ allowCidrs: loopback, resolve: async () => ['127.0.0.9', '127.0.0.1'] });
  const { status } = await createOutbound({ guard: both }).request({
    ...post,
    url: `http://a.example.com:${port}/`,
  });
  expect(status).toBe(200);
});

test('a request is aborted by its signal', async () => {
  const ending = new AbortController();
  const port = await tcpServer(() => ending.abort(new Error('over')));
  await expect(ask(`http://127.0.0.1:${port}/`, { signal: ending.signal })).rejects.toThrow('over');
});

test('a server cannot reach itself through outbound requests, and would notice if it could', async () => {
  const port = await tcpServer((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const everything = ['0.0.0.0/0', '::/0'];
  const closed = [
    createGuard({ ownPort: () => port }),
    createGuard({ ownPort: () => port, allowCidrs: everything }),
  ];
  for (const each of closed) expect(await holesInGuard(createOutbound({ guard: each }), port)).toEqual([]);
  const open = createOutbound({ guard: createGuard({ allowCidrs: everything }) });
  expect(await holesInGuard(open, port)).toContain(`http://127.0.0.1:${port}/healthz`);
});
