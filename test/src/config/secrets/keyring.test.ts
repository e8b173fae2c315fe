import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callKeyring } from '../../../../src/config/secrets/keyring.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const GET = [{ do: 'get', account: 'test' }] as const;

test.runIf(process.platform === 'linux')(
  'a keyring that never answers is given up on after a timeout',
  async () => {
    const path = join(temporaryFolder(), 'bus');
    const sockets: Socket[] = [];
    const bus = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => bus.listen(path, resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      bus.close();
    });
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${path}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await callKeyring(GET, 3000)).toEqual({
      unavailable: 'it is locked, or did not answer within 3 s',
    });
    expect(sockets).toHaveLength(1);
  },
);

test.runIf(process.platform === 'linux')('a machine without a keyring says why it has none', async () => {
  expect(await callKeyring(GET)).toEqual({ unavailable: expect.stringMatching(/\w/) as string });
});
