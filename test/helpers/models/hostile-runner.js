import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * A runner's child end that tries what a crafted model file could make an engine do. It reports how each attempt
 * ended.
 */
const TRIES = {
  tcp: async ({ port, path }) => {
    const socket = connect(path ? { path } : { port, host: '127.0.0.1' });
    await once(socket, 'connect');
    socket.destroy();
  },
  udp: async ({ port }) => {
    const socket = createSocket('udp4');
    socket.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.send('hello');
    await once(socket, 'message').finally(() => socket.close());
  },
  read: ({ path }) => readFileSync(path),
  list: ({ path }) => readdirSync(path),
  write: ({ path }) => writeFileSync(path, 'changed'),
  signal: ({ pid }) => process.kill(pid, 0),
  processes: () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length,
  environment: () => Object.keys(process.env),
  memory: ({ bytes }) => Buffer.allocUnsafeSlow(bytes).length,
  files: ({ count }) => Array.from({ length: count }, () => openSync('/dev/null')).length,
  namespace: () => spawnSync('unshare', ['--user', '--map-root-user', 'true']).status,
};

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', async (message) => {
  const { type, id, sequence } = message;
  if (type === 'load') process.send(loaded);
  if (type === 'ping') process.send({ type: 'pong', sequence, memoryBytes: process.memoryUsage.rss() });
  if (type === 'shutdown') process.removeAllListeners('disconnect').disconnect();
  if (type !== 'call') return;
  process.send({ type: 'event', id, event: await attempt(JSON.parse(message.input.messages[0].content)) });
  process.send({ type: 'done', id });
});

const loaded = {
  type: 'loaded',
  description: { slots: 1, contextTokens: 64, threads: 1, device: 'none' },
  methods: ['chat'],
};

async function attempt({ what, ...target }) {
  try {
    return { result: (await TRIES[what](target)) ?? 'done' };
  } catch (error) {
    return { refused: error.code ?? error.message };
  }
}
