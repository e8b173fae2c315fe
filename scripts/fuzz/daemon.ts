import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { binFile } from '../../src/base/paths.ts';

export type Reply = { status: number; code: string; text: string; ms: number };

/** The real program in a temporary home. */
export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

type Answer = { status: number; text: string };

const SETTINGS = {
  ASKD_PORT: '0',
  ASKD_LOG_LEVEL: 'warn',
  ASKD_MEMORY_BUDGET_BYTES: String(1024 ** 3),
  ASKD_MODEL_CONTEXT_TOKENS: '256',
  ASKD_AUDIO_SECONDS_MAX: '60',
};
const TIMEOUT_MS = 120_000;

export async function startDaemon(settings: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'askd-fuzz-'));
  const env = { ...process.env, ...SETTINGS, ASKD_HOME: home, ...settings };
  const child = spawn(process.execPath, [binFile('askd-daemon.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error('The daemon did not start')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [found] = /http\S+(?=\/v1)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const token = readFileSync(join(home, 'root-token'), 'utf8').trim();

  async function call(path: string, body?: object | string): Promise<Reply> {
    const startedAt = performance.now();
    const { status, text } = await (path.startsWith('/api') ? manage(path, body) : ask(path, body));
    return { status, code: codeOf(text), text, ms: performance.now() - startedAt };
  }

  async function ask(path: string, body?: object | string): Promise<Answer> {
    const isForm = body instanceof FormData;
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      body: isForm ? body : textOf(body),
    });
    return { status: response.status, text: await response.text() };
  }

  /** fetch() looks like a browser, from which the root token is not accepted. */
  async function manage(path: string, body?: object | string): Promise<Answer> {
    const sent = request(address + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    sent.end(body === undefined ? undefined : textOf(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: Buffer.concat(await response.toArray()).toString() };
  }

  async function makeKey(name: string): Promise<string> {
    const made = await call('/api/keys', { name, scopes: ['chat', 'read'] });
    return (JSON.parse(made.text) as { key: string }).key;
  }

  const key = await makeKey('fuzz');

  async function install(model: { id: string; path: string; projector?: string }): Promise<void> {
    const reply = await call('/api/daemon/import', { ...model, mode: 'link' });
    if (reply.status >= 400) throw new Error(reply.text);
  }

  return {
    address,
    makeKey,
    call,
    install,
    /** One token, for a message of this part. */
    chat: (model: string, part: object) =>
      call('/v1/chat/completions', { model, max_tokens: 1, messages: [{ role: 'user', content: [part] }] }),
    folder: (name: string) => join(home, name),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    memoryBytes: () => residentBytes(child.pid ?? 0),
    /** The memory of the runners, as last measured. */
    async runnerBytes(): Promise<number> {
      const { models } = JSON.parse((await call('/api/daemon/ps')).text) as { models: { bytes: number }[] };
      return Math.max(0, ...models.map(({ bytes }) => bytes));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const textOf = (body: object | string = {}) => (typeof body === 'string' ? body : JSON.stringify(body));

function codeOf(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? '';
  } catch {
    return 'not_json';
  }
}

function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}
