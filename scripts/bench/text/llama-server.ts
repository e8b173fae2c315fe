import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CONTEXT_TOKENS } from './plan.ts';
import { createPoster, timeEmbeddings } from './http.ts';

const START_MS_MAX = 60_000;
/** Texts that it evaluates together. More bring nothing, and its default of 4 is slower with short texts. */
const SLOTS = 32;

/** The same model in llama.cpp's own server, with as many threads. */
export async function startLlamaServer(binary: string, { file, threads }: { file: string; threads: number }) {
  // It crashes if a batch is not a multiple of its slots.
  const tokens = String(SLOTS * Math.ceil((CONTEXT_TOKENS + 1) / SLOTS));
  const server = await startServer(binary, [
    ...['--model', file, '--embedding', '--pooling', 'mean'],
    ...['--threads', String(threads), '--parallel', String(SLOTS)],
    ...['--ctx-size', String(SLOTS * (CONTEXT_TOKENS + 1))],
    ...['--batch-size', tokens, '--ubatch-size', tokens],
  ]);
  const poster = createPoster(server.baseUrl);
  const embed = (input: readonly string[]) =>
    timeEmbeddings(poster, { model: 'm', input, encoding_format: 'base64' });
  const stop = async () => {
    poster[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  };
  return { embed, [Symbol.asyncDispose]: stop };
}

/** llama.cpp's own server, once it answers. */
export async function startServer(binary: string, args: readonly string[]) {
  const port = await freePort();
  const child = spawn(binary, [...args, '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    await untilReady(port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
}

async function untilReady(port: number): Promise<void> {
  for (const until = performance.now() + START_MS_MAX; performance.now() < until; await wait(100)) {
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (health?.ok) return;
  }
  throw new Error('llama-server did not get ready');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
