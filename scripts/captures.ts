import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DOCUMENTS, QUESTION } from './captures/documents.ts';
import { toSvg } from './captures/svg.ts';
import { openPty, type Pty } from './terminal/pty.ts';

const run = promisify(execFile);

/** From dist/scripts, where this file runs. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASKD = path.join(ROOT, 'bin', 'askd.js');
const PICTURES = path.join(ROOT, 'scripts', 'captures');
const SIZE = { columns: 112, rows: 32 };
const PATIENCE_MS = 120_000;
/** Long enough for the graphs to have something to show. */
const TRAFFIC_MS = 25_000;
const SETTLED_MS = 1500;
const SCREENS = ['Overview', 'Models', 'Keys', 'Wallet', 'Webhooks', 'Agent', 'Logs'];
/** What can be downloaded says more than the one model that is here. */
const KEYS: Readonly<Record<string, string>> = { Models: 'ajj' };

const folder = await mkdtemp(path.join(tmpdir(), 'askd-captures-'));
const env: Record<string, string> = { ASKD_HOME: path.join(folder, 'home'), ASKD_PORT: '0' };
const receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
try {
  await once(receiver, 'listening');
  await prepare();
  await command('chat', 'askd chat "What can you do?"');
  await command('agent', `askd agent "${QUESTION}"`);
  await dashboard();
} finally {
  await askd('down').catch(() => undefined);
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
}

async function askd(...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [ASKD, ...args, '--json'], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout) as unknown;
}

/** An installation in which something has happened. */
async function prepare(): Promise<void> {
  const notes = path.join(folder, 'notes');
  await mkdir(notes);
  await mkdir(env['ASKD_HOME'] ?? '');
  for (const [name, text] of Object.entries(DOCUMENTS)) await writeFile(path.join(notes, name), text);
  const settings = { webhooks_allow_cidrs: ['127.0.0.0/8'] };
  await writeFile(path.join(env['ASKD_HOME'] ?? '', 'config.json'), JSON.stringify(settings));
  await askd('up');
  await askd('docs', 'add', notes);
  await askd('keys', 'create', '--name', 'continuous-integration', '--scopes', 'chat');
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  await askd('webhooks', 'add', url, '--events', 'chat.completed,api_key.created', '--name', 'my-app');
}

/** A command as somebody would type it, with all that it says. */
async function command(name: string, line: string): Promise<void> {
  const script = path.join(folder, `${name}.sh`);
  const typed = line.replaceAll('"', '\\"');
  await writeFile(
    script,
    `askd() { ${process.execPath} ${ASKD} "$@"; }\nclear\nprintf '%s\\n' "$ ${typed}"\n${line}\nprintf '\\033]0;over\\007'\nread -r _\n`,
  );
  const pty = openPty(`sh ${script}`, { columns: 92, rows: 40 }, env);
  await until(pty, () => pty.output().includes('\u001b]0;over'));
  await save(pty, name, line);
  pty.end();
}

async function dashboard(): Promise<void> {
  const { key } = (await askd('keys', 'create', '--name', 'laptop')) as { key: string };
  const { base_url: baseUrl } = (await askd('status')) as { base_url: string };
  const pty = openPty(`${process.execPath} ${ASKD} tui`, SIZE, env);
  await until(pty, () => pty.text().includes('up '));
  const stop = new AbortController();
  const busy = traffic(baseUrl, key, stop.signal);
  await sleep(TRAFFIC_MS);
  for (const [index, title] of SCREENS.entries()) {
    pty.type(String(index + 1));
    await until(pty, () => pty.text().includes(`[${index + 1} ${title}]`));
    // What the screen asks the daemon for comes a moment later.
    await sleep(SETTLED_MS);
    if (KEYS[title] !== undefined) {
      pty.type(KEYS[title]);
      await sleep(SETTLED_MS);
    }
    await save(pty, `tui-${title.toLowerCase()}`, `askd tui: ${title.toLowerCase()}`);
  }
  stop.abort();
  await busy;
  pty.end();
}

async function traffic(baseUrl: string, key: string, stop: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let round = 1; !stop.aborted; round++) {
    const messages = [{ role: 'user', content: `Question ${round}` }];
    const body = JSON.stringify({ model: 'svc-chat-v1', messages, max_tokens: 20 + 40 * (round % 4) });
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
    await response.text();
    await sleep(400);
  }
}

async function until(pty: Pty, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > deadline)
      throw new Error(`It did not come to what was waited for:\n${pty.text()}`);
    await sleep(50);
  }
}

/** A picture for the page, and the text for whoever reads what was captured. */
async function save(pty: Pty, name: string, title: string): Promise<void> {
  const text = pty.text();
  await writeFile(path.join(PICTURES, `${name}.svg`), toSvg(pty.screen, title));
  console.log(`${name}.svg\n${text.replace(/^/gm, '  ')}\n`);
}
