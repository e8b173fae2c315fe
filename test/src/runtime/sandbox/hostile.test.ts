import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatRequest } from '../../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../../src/runtime/manifest.ts';
import { startRunner } from '../../../../src/runtime/runner.ts';
import { findSandbox } from '../../../helpers/models/sandbox.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const entry = join(import.meta.dirname, '../../../helpers/models/hostile-runner.js');
const never = new AbortController().signal;
const GiB = 1024 ** 3;

/**
 * A home with secrets and two models, a listening daemon, and a runner of one of the models that tries to reach them.
 */
async function openWorld(isSandboxed: boolean) {
  const home = temporaryFolder();
  const models = join(home, 'models');
  mkdirSync(models);
  const file = (path: string) => (writeFileSync(path, 'content'), path);
  const model = file(join(models, 'own.gguf'));
  const sandbox = await findSandbox({ home, memoryBytes: GiB / 16 });
  const runner = await startRunner({
    entry,
    manifest: manifestOf(model),
    load: { slots: 1, contextTokens: 64 },
    signal: never,
    uploads: join(home, 'uploads'),
    ...(isSandboxed && { sandbox }),
  });
  onTestFinished(() => runner[Symbol.asyncDispose]());
  const attempt = async (what: string, target: object = {}): Promise<unknown> => {
    for await (const event of runner.chat?.(say(JSON.stringify({ what, ...target })), never) ?? [])
      return event;
  };
  return { runner, attempt, file, home, model, models };
}

function manifestOf(path: string): ModelManifest {
  const rest = { bytes: 1, contextTokensMax: 64, licence: 'none', services: [], tier: 'imported' as const };
  return { id: 'hostile', name: 'hostile', engine: 'llama', tasks: ['chat'], path, ...rest };
}

function say(text: string): ChatRequest {
  const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
  return { messages: [{ role: 'user', content: text }], maxTokens: 8, stop: [], sampling };
}

async function listen(server: Server, where: { port: number; host: string } | { path: string }) {
  server.listen(where);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server.address() as AddressInfo;
}

async function echoDatagrams(): Promise<number> {
  const socket = createSocket('udp4', (_, { port, address }) => socket.send('yes', port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket.address().port;
}

const SECRETS = ['root-token', 'seal-key', 'secrets.json', 'askd.db', 'config.json'];
const refused = { refused: expect.any(String) as string };
const succeeded = { result: expect.anything() as unknown };

/** Without a sandbox every attempt succeeds, so a sandbox that stops nothing would be noticed here. */
const hasSandbox = (await findSandbox()).name !== null;
const CASES = [
  { title: 'in the sandbox', isSandboxed: true, outcome: refused },
  { title: 'without one', isSandboxed: false, outcome: succeeded },
].filter(({ isSandboxed }) => hasSandbox || !isSandboxed);

describe.each(CASES)('a hostile engine $title', ({ isSandboxed, outcome }) => {
  const verb = isSandboxed ? 'cannot' : 'can';

  test(`${verb} reach the daemon's port, nor any other by TCP or UDP`, async () => {
    const { attempt, home } = await openWorld(isSandboxed);
    const { port } = await listen(createServer(), { port: 0, host: '127.0.0.1' });
    const path = join(home, 'daemon.sock');
    await listen(createServer(), { path });
    const ended: unknown[] = [
      await attempt('tcp', { port }),
      await attempt('tcp', { path }),
      await attempt('udp', { port: await echoDatagrams() }),
    ];
    expect(ended).toEqual([outcome, outcome, outcome]);
  });

  test(`${verb} read the keys, the token, the database or another model`, async () => {
    const { attempt, file, home, model, models } = await openWorld(isSandboxed);
    const paths = [...SECRETS.map((name) => file(join(home, name))), file(join(models, 'other.gguf'))];
    for (const path of [...paths, '/etc/passwd'])
      expect([path, await attempt('read', { path })]).toEqual([path, outcome]);
    const own = (await attempt('read', { path: model })) as { result: Uint8Array };
    expect(Buffer.from(own.result).toString()).toBe('content');
  });

  test(`${verb} change its model, write beside it, or into what askd is made of`, async () => {
    const { attempt, home, model, models } = await openWorld(isSandboxed);
    const beside = [join(models, 'new.gguf'), join(home, 'config.json')];
    for (const path of [model, ...beside])
      expect([path, await attempt('write', { path })]).toEqual([path, outcome]);
    expect(readFileSync(model, 'utf8')).toBe(isSandboxed ? 'content' : 'changed');
    expect(beside.map((path) => existsSync(path))).toEqual(beside.map(() => !isSandboxed));
  });

  test(`${verb} see or signal other processes`, async () => {
    const { attempt } = await openWorld(isSandboxed);
    expect(await attempt('signal', { pid: process.pid })).toEqual(outcome);
    expect(await attempt('list', { path: `/proc/${process.pid}/fd` })).toEqual(outcome);
    const { result } = (await attempt('processes')) as { result: number };
    if (isSandboxed) expect(result).toBe(2);
    else expect(result).toBeGreaterThan(2);
  });

  test(`${verb} take more memory or files than its bounds`, async () => {
    const { attempt } = await openWorld(isSandboxed);
    expect(await attempt('memory', { bytes: 3 * GiB })).toEqual(outcome);
    if (isSandboxed) expect(await attempt('files', { count: 5_000 })).toEqual({ refused: 'EMFILE' });
  });
});

describe.runIf(hasSandbox)('a runner in the sandbox', () => {
  test('has at most ten environment variables, none of them a secret', async () => {
    const { attempt } = await openWorld(true);
    const { result } = (await attempt('environment')) as { result: string[] };
    const own = result.filter((name) => name !== 'PWD');
    expect(own).toContain('GLIBC_TUNABLES');
    expect(own.length).toBeLessThanOrEqual(10);
    expect(own.filter((name) => name.startsWith('ASKD_'))).toEqual([]);
  });

  test('gains no privileges in its own namespace', async () => {
    const { attempt } = await openWorld(true);
    expect(await attempt('namespace')).not.toEqual({ result: 0 });
  });

  test('is known by its own process id, and a signal to it is reported as such', async () => {
    const { runner } = await openWorld(true);
    expect(readFileSync(`/proc/${runner.pid}/cmdline`, 'utf8')).toContain('hostile-runner.js');
    expect(readFileSync(`/proc/${runner.pid}/comm`, 'utf8')).not.toContain('bwrap');
    process.kill(runner.pid, 'SIGKILL');
    expect(await runner.exited).toMatchObject({ code: undefined, signal: 'SIGKILL' });
  });

  test('ends with its wrapper', async () => {
    const { runner } = await openWorld(true);
    const wrapper = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${runner.pid}/status`, 'utf8'))?.[1]);
    process.kill(wrapper, 'SIGKILL');
    await runner.exited;
    await expect.poll(() => existsSync(`/proc/${runner.pid}`), { timeout: 30_000 }).toBe(false);
  });
});
