import { createServer } from 'node:net';
import type { Finding } from '../../src/api/management/library.ts';
import { loadSettings } from '../../src/config/config.ts';
import { baseUrls } from '../../src/base/presence.ts';
import { version } from '../../src/base/version.ts';
import { findDaemon } from '../daemon-control/process.ts';
import type { Check } from './check.ts';

export const checkDaemon: Check = async ({ environment, paths, signal }) => {
  const presence = await findDaemon({ paths, signal });
  if (presence === undefined) {
    const { host, port } = await loadSettings(environment);
    return [
      { check: 'daemon', level: 'warning', message: 'not running', fix: 'askd up' },
      await checkPort(host, port),
    ];
  }
  const where = `pid ${presence.pid}, ${baseUrls(presence).base_url}`;
  if (presence.version === version) return [{ check: 'daemon', level: 'ok', message: `running: ${where}` }];
  const message = `the daemon is askd ${presence.version}, this command is askd ${version} (${where})`;
  return [{ check: 'daemon', level: 'warning', message, fix: 'askd restart' }];
};

async function checkPort(host: string, port: number): Promise<Finding> {
  const check = 'port';
  const problem = await tryToListen(host, port);
  if (problem === undefined) return { check, level: 'ok', message: `${host}:${port} is free` };
  const message = `${host}:${port} cannot be used (${problem}); another program may be using it`;
  return { check, level: 'problem', message, fix: `ASKD_PORT=${port + 1} askd up` };
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
