import { isFailureCode, toFailure } from '../src/base/errors.ts';
import type { ItemEvent, Session } from '../src/runtime/engine.ts';
import {
  SINGLE_METHODS,
  STREAMING_METHODS,
  type Counters,
  type FromRunner,
  type SingleMethod,
  type StreamingMethod,
  type ToRunner,
  type WireFailure,
} from '../src/runtime/wire.ts';
import { ENGINES } from './engines.ts';
import { createBatcher, type HeldMs } from './batch-results.ts';
import { createOutbox } from './outbox.ts';
import { checkShipped } from './shipped-files.ts';

/** The child process that holds one model. It knows nothing about HTTP, keys or money. */
const running = new Map<number, AbortController>();
const loading = new AbortController();
let session: Session | undefined;
const { send, sendSoon, flush } = createOutbox((message, onSent) => {
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
  else onSent?.();
});

/** Vectors are only useful when all are there; scores also show progress. */
const HELD_MS = { embed: { results: 200, count: 20 }, rerank: { results: 50, count: 20 } };

process.on('message', (message) => receive(message as ToRunner));
// Without its parent a runner has nothing to do and nothing to save; native code may prevent a clean exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C in a terminal reaches the whole process group; the daemon decides when a runner ends.
process.on('SIGINT', () => undefined);

function receive(message: ToRunner): void {
  if (message.type === 'load') void load(message);
  if (message.type === 'call') void answer(message);
  if (message.type === 'cancel') running.get(message.id)?.abort();
  if (message.type === 'ping') {
    const { sequence } = message;
    send({ type: 'pong', sequence, memoryBytes: memoryBytes(), ...counters() });
  }
  if (message.type === 'shutdown') void shutDown();
}

function counters(): Counters {
  const [drafts, promptCache] = [session?.draftCounts?.(), session?.promptCache?.()];
  return { ...(drafts && { drafts }), ...(promptCache && { promptCache }) };
}

function memoryBytes(): number {
  return process.memoryUsage.rss() + (session?.helperMemoryBytes?.() ?? 0);
}

async function load({ manifest, options }: Extract<ToRunner, { type: 'load' }>): Promise<void> {
  try {
    const [engine] = await Promise.all([ENGINES[manifest.engine](), checkShipped(manifest)]);
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
    if (isSingle(method)) send({ type: 'done', id, result: await once(method, input, controller.signal) });
    else await stream({ id, method, input }, controller.signal);
  } catch (error) {
    send({ type: 'failed', id, failure: toWire(error) });
  } finally {
    running.delete(id);
  }
}

type Streaming = { id: number; method: StreamingMethod; input: unknown };

async function stream({ id, method, input }: Streaming, signal: AbortSignal): Promise<void> {
  const run = session?.[method] as
    ((input: unknown, signal: AbortSignal) => AsyncIterable<unknown>) | undefined;
  if (!run) throw new Error(`This session has no ${method}`);
  if (method === 'embed' || method === 'rerank') {
    const events = run(input, signal) as AsyncIterable<ItemEvent<unknown>>;
    return streamTogether(id, events, HELD_MS[method]);
  }
  for await (const event of run(input, signal)) {
    if (method === 'speak') await sendWhole({ type: 'event', id, event });
    else if (method === 'chat') sendSoon({ type: 'event', id, event });
    else send({ type: 'event', id, event });
  }
  send({ type: 'done', id });
}

async function streamTogether(id: number, from: AsyncIterable<ItemEvent<unknown>>, held: HeldMs) {
  const batcher = createBatcher((events) => send({ type: 'events', id, events }), held);
  try {
    for await (const event of from) batcher.add(event);
  } catch (error) {
    batcher.flush();
    throw error;
  }
  send({ type: 'done', id, events: batcher.take() });
}

function once(method: SingleMethod, input: unknown, signal: AbortSignal): Promise<unknown> {
  const run = session?.[method] as ((input: unknown, signal: AbortSignal) => Promise<unknown>) | undefined;
  if (!run) throw new Error(`This session has no ${method}`);
  return run(input, signal);
}

function isSingle(method: StreamingMethod | SingleMethod): method is SingleMethod {
  return SINGLE_METHODS.some((single) => single === method);
}

async function shutDown(): Promise<void> {
  loading.abort();
  for (const controller of running.values()) controller.abort();
  await session?.[Symbol.asyncDispose]();
  flush();
  process.removeAllListeners('disconnect');
  process.disconnect();
}

function methodsOf(loaded: Session) {
  return [...STREAMING_METHODS, ...SINGLE_METHODS].filter((method) => loaded[method] !== undefined);
}

/**
 * Data beyond the pipe's buffer is only sent while this thread is idle: audio would wait until the next sentence is
 * synthesized.
 */
function sendWhole(message: FromRunner): Promise<void> {
  return new Promise((resolve) => send(message, resolve));
}

/** The stack of a bug goes to stderr, which the daemon logs. */
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
