import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../../src/base/paths.ts';
import { createDirectDownload } from '../../../../src/library/hub/direct-download.ts';
import { makeCertificates } from '../../../../scripts/fixtures/certificates.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const BODY = Buffer.from(Array.from({ length: 600_000 }, (_, index) => (index * 7) % 251));
const BUILT = pathToFileURL(join(packageRoot, 'dist', 'src', 'library', 'hub', 'direct-download.js')).href;
const HEAD = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n`;

test('a body arrives whole and in order, however its head and pieces are split', async () => {
  const server = await serve((socket) => {
    for (const letter of 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(letter);
    socket.write(HEAD.slice(0, 20));
    socket.write(HEAD.slice(20) + BODY.toString('latin1'), 'latin1');
  });
  expect(await server.fetch()).toEqual({ status: 200, isWhole: true });
});

test('one connection carries one answer after the other', async () => {
  const server = await serve((socket) => socket.write(Buffer.concat([Buffer.from(HEAD), BODY])));
  await server.fetch();
  await server.fetch();
  expect(await server.fetch()).toMatchObject({ isWhole: true });
  expect(server.connections()).toBe(1);
});

test('a connection that its server closed while it was idle, or when it was reused, causes no failure', async () => {
  const server = await serve((socket, asked) => {
    if (asked > 1) return socket.destroy();
    socket.write(Buffer.concat([Buffer.from(HEAD), BODY]));
  });
  await server.fetch();
  expect(await server.fetch()).toMatchObject({ isWhole: true });
  expect(server.connections()).toBe(2);
});

test('a connection that sent more than its answer is not reused', async () => {
  const server = await serve((socket) =>
    socket.write(Buffer.concat([Buffer.from(HEAD), BODY, Buffer.from('more')])),
  );
  expect(await server.fetch()).toMatchObject({ isWhole: true });
  expect(await server.fetch()).toMatchObject({ isWhole: true });
  expect(server.connections()).toBe(2);
});

test('an answer that breaks off fails, and what had arrived was passed on', async () => {
  const server = await serve((socket) =>
    socket.end(Buffer.concat([Buffer.from(HEAD), BODY.subarray(0, 5000)])),
  );
  const got: Buffer[] = [];
  await expect(server.fetch(got)).rejects.toThrow('was lost');
  expect(Buffer.concat(got).equals(BODY.subarray(0, 5000))).toBe(true);
});

test.each([
  ['has no length', 'HTTP/1.1 200 OK\r\n\r\nhello'],
  ['comes in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ['states two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
  ['is of an older protocol', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
  ['is no answer', 'SSH-2.0-whatever\r\n\r\n'],
])(
  'an answer that %s is left to the normal way, and its server is not asked directly again',
  async (_what, answer) => {
    const server = await serve((socket) => socket.write(answer));
    expect(await server.open()).toBeUndefined();
    expect(await server.open()).toBeUndefined();
    expect(server.connections()).toBe(1);
  },
);

test('the signal ends a silent connection, and one in the middle of its answer', async () => {
  for (const said of ['', HEAD]) {
    const leaving = new AbortController();
    const server = await serve((socket) => {
      socket.write(said);
      setImmediate(() => leaving.abort(new Error('long enough')));
    });
    await expect(server.fetch([], leaving.signal)).rejects.toThrow('long enough');
    await server.ended();
  }
});

test('an exception of the receiver ends the connection', async () => {
  const server = await serve((socket) => socket.write(Buffer.concat([Buffer.from(HEAD), BODY])));
  const stretch = await server.open();
  const full = stretch?.pour(() => {
    throw new Error('the disk is full');
  });
  await expect(full).rejects.toThrow('the disk is full');
  await server.ended();
});

test('a line break in a header is refused', async () => {
  const server = await serve((socket) => socket.write(HEAD));
  const asked = server.direct.get(server.url, { authorization: 'a\r\nb: c' }, new AbortController().signal);
  await expect(asked).rejects.toThrow('line break');
  expect(server.connections()).toBe(0);
});

test('a body over TLS is the same, and an untrusted certificate is refused', async () => {
  const certificates = makeCertificates();
  const server = createHttps(certificates, (_request, response) => response.end(BODY)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  const refused = createDirectDownload().get(new URL(url), {}, new AbortController().signal);
  await expect(refused).rejects.toThrow(/certificate/);

  const authority = join(temporaryFolder(), 'ca.pem');
  writeFileSync(authority, certificates.ca);
  const program = `
    const { createDirectDownload } = await import(${JSON.stringify(BUILT)});
    const straight = createDirectDownload();
    const hash = createHash('sha256');
    const stretch = await straight.get(new URL('${url}'), {}, new AbortController().signal);
    await stretch.pour((piece) => hash.update(piece));
    straight.close();
    console.log(hash.digest('hex'));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `import { createHash } from 'node:crypto';${program}`],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: authority } },
  );
  expect(stdout.trim()).toBe(createHash('sha256').update(BODY).digest('hex'));
});

type Serving = (socket: Socket, asked: number) => unknown;

/** A server that answers each request with exactly these bytes. */
async function serve(answer: Serving) {
  const sockets: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    let asked = 0;
    sockets.push(socket);
    closed.push(new Promise((resolve) => socket.on('close', resolve)));
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket, (asked += 1)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const direct = createDirectDownload();
  onTestFinished(() => {
    direct.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file?a=b`);
  const open = (signal = new AbortController().signal) => direct.get(url, {}, signal);
  return {
    url,
    direct,
    open,
    async fetch(got: Buffer[] = [], signal?: AbortSignal) {
      const stretch = await open(signal);
      await stretch?.pour((piece) => got.push(Buffer.from(piece)));
      return { status: stretch?.statusCode, isWhole: Buffer.concat(got).equals(BODY) };
    },
    connections: () => sockets.length,
    ended: () => Promise.all(closed),
  };
}
