import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { Failure } from '../../../src/base/errors.ts';
import { entryFile } from '../../../src/base/paths.ts';
import type { Place } from './bare.ts';
import type { FromImageGenerator, Order, ImageGeneratorLoad, ToImageGenerator } from './messages.ts';

/** How long a cancelled step may finish before the process is killed. */
const CANCEL_GRACE_MS = 5_000;
const OUT = 3;
const TAIL_LINES_MAX = 60;

export type ImageGeneratorOptions = {
  place: Place;
  load: ImageGeneratorLoad;
  /** The model's display name. */
  name: string;
  signal: AbortSignal;
  cancelGraceMs?: number;
};

/** The process that holds the model and generates images. A crash in it affects nothing else. */
export type ImageGenerator = Awaited<ReturnType<typeof startImageGenerator>>;

export async function startImageGenerator({
  cancelGraceMs = CANCEL_GRACE_MS,
  ...options
}: ImageGeneratorOptions) {
  const { load, name, signal } = options;
  const child = spawnImageGenerator(options.place);
  let memoryBytes = 0;
  let alive = true;
  void child.exited.then(() => (alive = false));

  const started = await converse(
    { type: 'load', load },
    { isEnd: isLoadEnd, onEvent: remember, signal, graceMs: 0 },
  );
  if (started?.type !== 'loaded') {
    child.kill();
    await child.exited;
    signal.throwIfAborted();
    throw loadFailed(started);
  }

  /** Sends a message and reads replies until the last one. Returns undefined if the child exited first. */
  async function converse(message: ToImageGenerator, { isEnd, onEvent, signal, graceMs }: Conversation) {
    let kill: NodeJS.Timeout | undefined;
    const cancel = () => {
      child.send({ type: 'cancel' });
      kill = setTimeout(child.kill, graceMs);
    };
    try {
      return await new Promise<FromImageGenerator | undefined>((resolve) => {
        child.onMessage = (answer) => {
          onEvent(answer);
          if (isEnd(answer)) resolve(answer);
        };
        void child.exited.then(() => resolve(undefined));
        child.send(message);
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
      });
    } finally {
      clearTimeout(kill);
      signal.removeEventListener('abort', cancel);
    }
  }

  function remember(message: FromImageGenerator): void {
    if ('memoryBytes' in message) ({ memoryBytes } = message);
  }

  function loadFailed(answer: FromImageGenerator | undefined): Failure {
    if (answer?.type === 'load_failed') {
      const reason = (child.tail().at(-1) ?? answer.message).replace(SOURCE_LINE, '');
      return new Failure('invalid_model_file', `"${name}" cannot be loaded: ${reason}`, {
        cause: child.words(),
      });
    }
    return died('while it was loading');
  }

  function died(when: string): Failure {
    const how = child.howItEnded();
    return new Failure(
      'runner_crashed',
      `The process of "${name}" exited ${when} (${how}). The next request restarts it.`,
      { cause: child.words() },
    );
  }

  return {
    get alive() {
      return alive;
    },
    memoryBytes: () => (alive ? memoryBytes : 0),
    /** The library's log while it loaded. */
    words: child.words,

    /** A PNG file; undefined if it was cancelled. */
    async draw(
      order: Order,
      { signal, onStep }: { signal: AbortSignal; onStep: (step: number) => void },
    ): Promise<Buffer | undefined> {
      const onEvent = (message: FromImageGenerator) => {
        remember(message);
        if (message.type === 'step') onStep(message.step);
      };
      const answer = await converse(
        { type: 'draw', order },
        { isEnd: isDrawEnd, onEvent, signal, graceMs: cancelGraceMs },
      );
      if (answer?.type === 'picture') return Buffer.from(answer.data, 'base64');
      if (signal.aborted || answer?.type === 'cancelled') return undefined;
      if (answer?.type === 'failed') {
        const message = `"${name}" generated no image: ${answer.message}`;
        throw new Failure('internal_error', message, { cause: child.words() });
      }
      throw died('unexpectedly');
    },

    async close(): Promise<void> {
      child.kill();
      await child.exited;
    },
  };
}

type Conversation = {
  isEnd: (message: FromImageGenerator) => boolean;
  onEvent: (message: FromImageGenerator) => void;
  signal: AbortSignal;
  graceMs: number;
};

function isLoadEnd({ type }: FromImageGenerator): boolean {
  return type === 'loaded' || type === 'load_failed';
}

function isDrawEnd({ type }: FromImageGenerator): boolean {
  return type === 'picture' || type === 'cancelled' || type === 'failed';
}

function spawnImageGenerator({ bare, modules }: Place) {
  const child = execa(bare, [entryFile('models/engines/diffusion/generator-worker.js'), modules], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    buffer: false,
    reject: false,
  });
  const lines: string[] = [];
  const listeners = { onMessage: ignore };
  for (const stream of [child.stdout, child.stderr]) readLines(stream, keep);
  readLines(child.stdio[OUT], (line) => listeners.onMessage(JSON.parse(line) as FromImageGenerator));
  // The child may exit before it reads; its exit code tells.
  child.stdin.on('error', () => undefined);
  let ending = 'not at all';
  const exited = child.then(({ signal, exitCode, originalMessage }) => {
    ending = signal
      ? `by ${signal}`
      : exitCode === undefined
        ? (originalMessage ?? '')
        : `with code ${exitCode}`;
  });

  /** Passed on to the daemon's log, without progress bars. */
  function keep(line: string): void {
    if (line.trim() === '' || IS_NOISE.test(line)) return;
    console.error(line);
    lines.push(line);
    if (lines.length > TAIL_LINES_MAX) lines.shift();
  }

  return Object.assign(listeners, {
    exited,
    send: (message: ToImageGenerator) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    kill: () => void child.kill('SIGKILL'),
    tail: () => lines,
    words: () => lines.join('\n'),
    howItEnded: () => ending,
  });
}

const ignore: (message: FromImageGenerator) => void = () => undefined;
const SOURCE_LINE = /^\S+\.[ch]pp:\d+\s*- /;
const IS_NOISE = /^\s*\|[# ]*\||^ggml_backend_load_best:/;

function readLines(input: Readable, onLine: (line: string) => void): void {
  createInterface({ input }).on('line', onLine);
}
