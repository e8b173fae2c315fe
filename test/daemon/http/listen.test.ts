import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, listen } from '../../../daemon/http/listen.ts';

const HOST = '127.0.0.1';

async function takePort(port = 0): Promise<number | undefined> {
  const server = createServer();
  onTestFinished(() => void server.close());
  try {
    await once(server.listen(port, HOST), 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  }
}

function server() {
  const app = Fastify();
  onTestFinished(() => app.close());
  return app;
}

test('listens on the port that was asked for, or on one that the system chooses', async () => {
  const app = server();
  const port = await listen(app, { host: HOST, port: 0 });
  expect((await fetch(`http://${HOST}:${port}/`)).status).toBe(404);
});

test('a taken port is refused with the command for one that is free', async () => {
  const port = (await takePort()) ?? 0;
  await takePort(port + 1);
  const refused = await listen(server(), { host: HOST, port }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'address_in_use' });
  const [, free = ''] = /choose another port: ASKD_PORT=(\d+) askd up/.exec(String(refused)) ?? [];
  expect(Number(free)).toBeGreaterThan(0);
  expect([port, port + 1]).not.toContain(Number(free));
});

test('after the last port, the system chooses a free one', async () => {
  const free = await freePort(HOST, 65_535);
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(65_535);
});

test('an address that this machine does not have is refused with the command for its own', async () => {
  await expect(listen(server(), { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    code: 'address_in_use',
    message: expect.stringMatching(/no such address.*askd config set host 127\.0\.0\.1$/) as string,
  });
});
