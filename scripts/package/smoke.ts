import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execa } from 'execa';
import { openPty } from '../terminal/pty.ts';
import type { Installed } from './install.ts';

const FRAME_MS_MAX = 60_000;

/** What a smoke test saw, for the caller to judge. */
export type Smoke = {
  version: string;
  answer: string;
  /** The models that the new key lists over HTTP. */
  models: readonly string[];
  /** The type of the event that a webhook received. */
  event: string;
  frame: string;
  /** The statuses and types of the console's page and of the files that it loads, each once. */
  console: readonly string[];
  down: string;
};

/** A new user's first minutes with an installed package, by its own programs. */
export async function smokeTest({ env }: Pick<Installed, 'env'>): Promise<Smoke> {
  const environment = { ...env, ASKD_PORT: '0', ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };
  const askd = async (...args: string[]) =>
    (await execa('askd', args, { env: environment, extendEnv: false, stdin: 'ignore' })).stdout;

  const version = await askd('--version');
  const { base_url: baseUrl } = JSON.parse(await askd('up', '--json')) as { base_url: string };
  try {
    const answer = await askd('chat', 'How do I add a webhook?');
    const { key } = JSON.parse(await askd('keys', 'create', '--name', 'app', '--json')) as { key: string };
    return {
      version,
      answer,
      models: await listModels(baseUrl, key),
      event: await receiveEvent(askd),
      frame: await firstFrame(environment),
      console: await loadConsole(new URL('/dashboard', baseUrl)),
      down: await askd('down'),
    };
  } catch (error) {
    await askd('down');
    throw error;
  }
}

async function listModels(baseUrl: string, key: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

async function receiveEvent(askd: (...args: string[]) => Promise<string>): Promise<string> {
  let body = '';
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => response.end('ok'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    await askd('webhooks', 'add', `http://127.0.0.1:${port}/`, '--name', 'app', '--events', 'chat.completed');
    await askd('webhooks', 'test', 'app');
    return (JSON.parse(body) as { type: string }).type;
  } finally {
    server.close();
  }
}

/** The dashboard's screen once it shows that the daemon is up. */
async function firstFrame(env: Record<string, string>): Promise<string> {
  const pty = openPty('askd tui', { columns: 80, rows: 24 }, env);
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No frame:\n${pty.text()}`)), FRAME_MS_MAX);
      pty.onOutput(() =>
        // The screen applies what was written in its next turn.
        setImmediate(() => {
          if (!/\[1 Chat\].*up /.test(pty.text())) return;
          clearTimeout(timer);
          resolve(pty.text());
        }),
      );
    });
  } finally {
    pty.end();
  }
}

async function loadConsole(page: URL): Promise<string[]> {
  const html = await (await fetch(page)).text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '');
  const addresses = [page, ...files.map((path) => new URL(path, page))];
  const answers = await Promise.all(
    addresses.map(async (address) => {
      const { status, headers } = await fetch(address);
      return `${status} ${headers.get('content-type')?.split(';')[0]}`;
    }),
  );
  return [...new Set(answers)];
}
