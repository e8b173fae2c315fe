import { anySignal } from '../base/any-signal.ts';
import { Failure } from '../base/errors.ts';
import { createChannel, type Channel } from './channel.ts';
import type { LoadOptions, Session, SessionDescription } from './engine.ts';
import type { EngineName, ModelManifest } from './manifest.ts';
import { mergeOf } from './merge-text.ts';
import { spawnRunner, type RunnerExit, type RunnerProcess } from './runner-process.ts';
import { accessOf } from './sandbox/access.ts';
import type { SandboxName, SandboxState } from './sandbox/sandbox.ts';
import { watchCancelled } from './watchdog.ts';
import { runnerEnvironment } from './runner-environment.ts';
import {
  SINGLE_METHODS,
  STREAMING_METHODS,
  type Counters,
  type FromRunner,
  type Method,
  type SingleMethod,
  type WireFailure,
} from './wire.ts';

export type RunnerOptions = {
  entry: string;
  manifest: ModelManifest;
  load: LoadOptions;
  signal: AbortSignal;
  /** None when absent. */
  sandbox?: SandboxState;
  /** Where uploaded audio is stored. */
  uploads?: string;
  timing?: Partial<RunnerTiming>;
  /** Receives each line that the child prints: output of the native libraries. */
  onOutput?: (line: string) => void;
};

export type RunnerTiming = {
  loadDeadlineMs: number;
  heartbeatEveryMs: number;
  silenceMaxMs: number;
  closeGraceMs: number;
  /** How long native code may continue with cancelled work. */
  cancelGraceMs: number;
};

const TIMING: RunnerTiming = {
  loadDeadlineMs: 600_000,
  heartbeatEveryMs: 5_000,
  silenceMaxMs: 30_000,
  closeGraceMs: 5_000,
  cancelGraceMs: 2_000,
};

/** ONNX Runtime blocks its whole process while it processes one long text. */
const SLOWER: Partial<Record<EngineName, Partial<RunnerTiming>>> = { onnx: { silenceMaxMs: 600_000 } };

/** A Session whose model runs in a child process, so that a crash affects nothing else. */
export type Runner = Session & {
  pid: number;
  sandbox: SandboxName | null;
  /** Settles when the process is gone, whatever the reason. */
  exited: Promise<RunnerExit>;
  readonly alive: boolean;
  /** Resident memory at the last heartbeat. */
  readonly memoryBytes: number;
};

const NOTHING_CACHED = { bytes: 0, bytesMax: 0, entries: 0, hits: 0 };

export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { manifest, sandbox } = options;
  const timing = { ...TIMING, ...SLOWER[manifest.engine], ...options.timing };
  const child = spawnChild(options);
  const calls = createCalls(child, manifest, timing);
  const heartbeat = watchHeartbeat(child, timing);
  const state = { alive: true };
  void child.exited.then((exit) => {
    state.alive = false;
    heartbeat.stop();
    calls.failAll(crashed(manifest, exit));
  });
  child.onMessage((message) => {
    heartbeat.onMessage(message);
    calls.onMessage(message);
  });
  const { description, methods } = await load(child, options, timing);

  return {
    pid: child.pid(),
    sandbox: sandbox?.name ?? null,
    exited: child.exited,
    description,
    get alive() {
      return state.alive;
    },
    get memoryBytes() {
      return heartbeat.memoryBytes();
    },
    ...sessionMethods(calls, methods),
    ...(description.draftedBy !== undefined && {
      draftCounts: () => heartbeat.counters().drafts ?? { drafted: 0, accepted: 0 },
    }),
    ...(methods.includes('limitPromptCache') && {
      promptCache: () => heartbeat.counters().promptCache ?? NOTHING_CACHED,
    }),
    [Symbol.asyncDispose]: () => close(child, timing),
  };
}

function spawnChild({
  entry,
  manifest,
  load,
  sandbox,
  uploads = '',
  onOutput,
}: RunnerOptions): RunnerProcess {
  const command = { file: process.execPath, args: [entry] };
  const isSandboxed = sandbox !== undefined && sandbox.name !== null;
  const access = () => accessOf({ entry, manifest, load, uploads });
  return spawnRunner({
    ...(isSandboxed ? sandbox.wrap(command, access()) : command),
    environment: { ...runnerEnvironment(manifest.engine), ...load.devices?.environment },
    isWrapped: isSandboxed && sandbox.name === 'bubblewrap',
    onOutput,
  });
}

async function load(child: RunnerProcess, options: RunnerOptions, timing: RunnerTiming): Promise<Loaded> {
  const { manifest, signal } = options;
  const { onProgress, ...loadOptions } = options.load;
  const deadline = AbortSignal.timeout(timing.loadDeadlineMs);
  const stop = anySignal(signal, deadline);
  try {
    return await new Promise((resolve, reject) => {
      stop.addEventListener('abort', () => reject(loadStopped(manifest, deadline.aborted, signal)), {
        once: true,
      });
      void child.exited.then((exit) => reject(diedLoading(manifest, exit)));
      child.onMessage((message) => {
        if (message.type === 'progress') onProgress?.(message.fraction);
        if (message.type === 'loaded') resolve(message);
        if (message.type === 'load_failed') reject(loadFailed(message.failure));
      });
      if (stop.aborted) reject(loadStopped(manifest, deadline.aborted, signal));
      child.send({ type: 'load', manifest, options: loadOptions });
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

type Loaded = { description: SessionDescription; methods: readonly Method[] };

/** Exactly the methods of the session in the child. */
function sessionMethods(calls: ReturnType<typeof createCalls>, methods: readonly Method[]): Partial<Session> {
  const has = (method: Method) => methods.includes(method);
  const streaming = STREAMING_METHODS.filter(has).map((method) => [
    method,
    (input: unknown, signal: AbortSignal) => calls.stream(method, input, signal),
  ]);
  const single = SINGLE_METHODS.filter(has).map((method) => [
    method,
    (input: unknown, signal: AbortSignal) => calls.once(method, input, signal),
  ]);
  return Object.fromEntries([...streaming, ...single]) as Partial<Session>;
}

/** The requests in flight, by number. */
function createCalls(child: RunnerProcess, manifest: ModelManifest, { cancelGraceMs }: RunnerTiming) {
  const open = new Map<number, Channel<unknown>>();
  const stuck = watchCancelled({
    graceMs: cancelGraceMs,
    open: () => [...open.keys()],
    kill: () => child.kill('SIGKILL'),
  });
  let lastId = 0;
  let over: Failure | undefined;

  async function* stream<Event>(method: Method, input: unknown, signal: AbortSignal): AsyncGenerator<Event> {
    if (over) throw over;
    const id = ++lastId;
    const channel = createChannel<unknown>(mergeOf(method, input));
    const cancel = () => {
      child.send({ type: 'cancel', id });
      stuck.onCancel(id, method);
    };
    open.set(id, channel);
    child.send({ type: 'call', id, method, input });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      yield* channel.iterate() as AsyncGenerator<Event>;
    } finally {
      signal.removeEventListener('abort', cancel);
      if (open.delete(id)) cancel();
    }
  }

  async function once<Result>(method: SingleMethod, input: unknown, signal: AbortSignal) {
    for await (const result of stream<Result>(method, input, signal)) return result;
    throw new Failure('internal_error', `The runner of ${manifest.id} gave no answer to ${method}`);
  }

  function onMessage(message: FromRunner): void {
    if (message.type === 'event') open.get(message.id)?.push(message.event);
    if ('events' in message) for (const event of message.events ?? []) open.get(message.id)?.push(event);
    if (message.type !== 'done' && message.type !== 'failed') return;
    stuck.onDone(message.id);
    const channel = open.get(message.id);
    open.delete(message.id);
    if (message.type === 'failed') return channel?.fail(toError(message.failure));
    if (message.result !== undefined) channel?.push(message.result);
    channel?.end();
  }

  function failAll(failure: Failure): void {
    over = failure;
    stuck.stop();
    for (const channel of open.values()) channel.fail(failure);
    open.clear();
  }

  return { stream, once, onMessage, failAll };
}

/**
 * A loaded runner that stays silent is stuck in native code and is killed: its requests fail, and the daemon
 * continues. Loading has its own deadline, since some engines block while they load. Silence is measured in
 * heartbeats, not by the clock: after the daemon itself was suspended, responses of healthy runners are still unread.
 */
function watchHeartbeat(child: RunnerProcess, { heartbeatEveryMs, silenceMaxMs }: RunnerTiming) {
  let memoryBytes = 0;
  let counters: Counters = {};
  let unanswered = 0;
  let sequence = 0;
  let timer: NodeJS.Timeout | undefined;

  function beat(): void {
    if (unanswered * heartbeatEveryMs > silenceMaxMs) return child.kill('SIGKILL');
    unanswered += 1;
    child.send({ type: 'ping', sequence: ++sequence });
  }

  return {
    memoryBytes: () => memoryBytes,
    counters: () => counters,
    stop: () => clearInterval(timer),
    onMessage(message: FromRunner): void {
      unanswered = 0;
      if (message.type === 'pong') ({ memoryBytes, ...counters } = message);
      if (message.type !== 'loaded') return;
      beat();
      timer = setInterval(beat, heartbeatEveryMs).unref();
    },
  };
}

async function close(child: RunnerProcess, { closeGraceMs }: RunnerTiming): Promise<void> {
  child.send({ type: 'shutdown' });
  const timer = setTimeout(() => child.kill('SIGKILL'), closeGraceMs);
  await child.exited;
  clearTimeout(timer);
}

function crashed(manifest: ModelManifest, exit: RunnerExit, when = 'unexpectedly'): Failure {
  const how = exit.signal ? `by ${exit.signal}` : `with code ${exit.code ?? 'unknown'}`;
  return new Failure(
    'runner_crashed',
    `The process that runs "${manifest.id}" ended ${when} (${how}). The next request starts it again.`,
    { cause: exit.lastWords },
  );
}

/** While loading, a runner is never killed by the daemon, only by the system when memory runs out. */
function diedLoading(manifest: ModelManifest, exit: RunnerExit): Failure {
  if (exit.signal !== 'SIGKILL') return crashed(manifest, exit, 'while it was loading');
  return new Failure(
    'insufficient_memory',
    `The process that loads "${manifest.id}" was killed by the system, most likely because memory ran out.`,
    { cause: exit.lastWords },
  );
}

function loadStopped(manifest: ModelManifest, tooSlow: boolean, signal: AbortSignal): Error {
  if (!tooSlow) return signal.reason as Error;
  return new Failure('model_load_failed', `"${manifest.id}" did not load in time and was abandoned.`);
}

/** The client that sent the request is not to blame for the file. */
function loadFailed(failure: WireFailure): Failure {
  if (failure.code === 'insufficient_memory' || failure.code === 'draft_mismatch') return toError(failure);
  return new Failure('model_load_failed', failure.message, { cause: toError(failure) });
}

function toError({ code, message, param, details }: WireFailure): Failure {
  return new Failure(code, message, { ...(param !== undefined && { param }), ...(details && { details }) });
}
