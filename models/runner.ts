import { isFailureCode, toFailure } from '../src/errors.ts';
import type { ChatMessage, ChatRequest, Session } from '../src/runtime/engine.ts';
import type { FromRunner, ToRunner, WireFailure } from '../src/runtime/wire.ts';
import { ENGINES } from './engines.ts';

/** The child process that holds one model. It knows nothing of HTTP, keys or money. */
const running = new Map<number, AbortController>();
const loading = new AbortController();
let session: Session | undefined;

process.on('message', (message) => receive(message as ToRunner));
// Without its parent a runner has nothing to do and nothing to save; native code may not let it end politely.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C in a terminal reaches the whole process group; the daemon decides when a runner ends.
process.on('SIGINT', () => undefined);

function receive(message: ToRunner): void {
  if (message.type === 'load') void load(message);
  if (message.type === 'call') void answer(message);
  if (message.type === 'cancel') running.get(message.id)?.abort();
  if (message.type === 'ping') {
    send({ type: 'pong', sequence: message.sequence, memoryBytes: process.memoryUsage.rss() });
  }
  if (message.type === 'shutdown') void shutDown();
}

async function load({ manifest, options }: Extract<ToRunner, { type: 'load' }>): Promise<void> {
  try {
    const engine = await ENGINES[manifest.engine]();
    const onProgress = (fraction: number) => send({ type: 'progress', fraction });
    const loaded = await engine.load(manifest, { ...options, onProgress }, loading.signal);
    session = loaded;
    send({ type: 'loaded', description: loaded.description, methods: methodsOf(loaded) });
  } catch (error) {
    send({ type: 'load_failed', failure: toWire(error) });
  }
}

async function answer({ id, method, input }: Extract<ToRunner, { type: 'call' }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    if (method === 'chat') await stream(id, input, controller.signal);
    const result = method === 'countTokens' ? await count(input, controller.signal) : undefined;
    send({ type: 'done', id, ...(result !== undefined && { result }) });
  } catch (error) {
    send({ type: 'failed', id, failure: toWire(error) });
  } finally {
    running.delete(id);
  }
}

async function stream(id: number, input: unknown, signal: AbortSignal): Promise<void> {
  if (!session?.chat) throw new Error('This session cannot chat');
  for await (const event of session.chat(input as ChatRequest, signal)) send({ type: 'event', id, event });
}

async function count(input: unknown, signal: AbortSignal): Promise<number> {
  if (!session?.countTokens) throw new Error('This session cannot count tokens');
  return session.countTokens(input as ChatMessage[], signal);
}

async function shutDown(): Promise<void> {
  loading.abort();
  for (const controller of running.values()) controller.abort();
  await session?.[Symbol.asyncDispose]();
  process.removeAllListeners('disconnect');
  process.disconnect();
}

function methodsOf({ chat, countTokens }: Session) {
  return [chat && ('chat' as const), countTokens && ('countTokens' as const)].filter(
    (method) => method !== undefined,
  );
}

function send(message: FromRunner): void {
  if (process.connected) process.send?.(message);
}

/** A bug keeps its stack on stderr, which the daemon puts into its log. */
function toWire(error: unknown): WireFailure {
  const { code, message, param, details } = toFailure(error);
  if (code === 'internal_error') console.error(error);
  return {
    code: isFailureCode(code) ? code : 'internal_error',
    message,
    details,
    ...(param !== undefined && { param }),
  };
}
