import { Worker } from 'node:worker_threads';
import type { FromExtract, ToExtract } from './extract/extract-worker.ts';
import type { DocumentSource, ReadDocument } from './extract/read-document.ts';

const WORKERS_MAX = 2;
const IDLE_MS = 30_000;
const MEMORY_MB = 512;
const PAGE_MS_MAX = 5_000;
const START_MS_MAX = 30_000;

export type Extractor = ReturnType<typeof createExtractor>;

/** A document that cannot be read: damaged, too slow, or too large for the reader thread. */
export class ExtractError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExtractError';
  }
}

type Job = {
  source: DocumentSource;
  timeoutMs: number;
  signal: AbortSignal;
  resolve: (document: ReadDocument) => void;
  reject: (error: unknown) => void;
};
type Thread = { worker: Worker; lastId: number; idle?: NodeJS.Timeout };

/** Threads that read documents. One that takes too long is terminated, whatever it is stuck in. */
export function createExtractor(entry: string) {
  const waiting: Job[] = [];
  const idle: Thread[] = [];
  let running = 0;
  let isClosed = false;

  function read(
    source: DocumentSource,
    { signal, timeoutMs = PAGE_MS_MAX }: { signal: AbortSignal; timeoutMs?: number },
  ): Promise<ReadDocument> {
    return new Promise((resolve, reject) => {
      waiting.push({ source, timeoutMs, signal, resolve, reject });
      startNext();
    });
  }

  function startNext(): void {
    if (isClosed || running >= WORKERS_MAX) return;
    const job = waiting.shift();
    if (job === undefined) return;
    if (job.signal.aborted) {
      job.reject(job.signal.reason);
      return startNext();
    }
    running += 1;
    const thread = idle.pop() ?? { worker: openWorker(entry), lastId: 0 };
    clearTimeout(thread.idle);
    void work(thread, job).then((isUsable) => {
      running -= 1;
      if (isUsable && !isClosed) rest(thread);
      else void thread.worker.terminate();
      startNext();
    });
  }

  function rest(thread: Thread): void {
    idle.push(thread);
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      idle.splice(idle.indexOf(thread), 1);
      void thread.worker.terminate();
    }, IDLE_MS).unref();
  }

  return {
    read,
    async close(): Promise<void> {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new ExtractError('askd is stopping'));
      await Promise.all(
        idle.splice(0).map(async (thread) => {
          clearTimeout(thread.idle);
          await thread.worker.terminate();
        }),
      );
    },
  };
}

function openWorker(entry: string): Worker {
  const worker = new Worker(entry, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.on('error', () => undefined);
  return worker;
}

/** Resolves to whether the thread can be reused. */
function work(thread: Thread, { source, timeoutMs, signal, resolve, reject }: Job): Promise<boolean> {
  const { worker } = thread;
  const id = (thread.lastId += 1);
  worker.ref();
  return new Promise((end) => {
    const finish = (isUsable: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      end(isUsable);
    };
    const fail = (error: unknown): void => {
      reject(error);
      finish(false);
    };
    const onMessage = (message: FromExtract): void => {
      if (message.id !== id) return;
      if ('isStarted' in message) {
        clearTimeout(timer);
        timer = setTimeout(onTimeout, timeoutMs);
        return;
      }
      if ('document' in message) resolve(message.document);
      else reject(new ExtractError(message.error));
      finish(true);
    };
    const onError = (error: unknown) => fail(new ExtractError((error as Error).message));
    const onExit = () => fail(new ExtractError('the reader thread exited'));
    const onAbort = () => fail(signal.reason);
    const onTimeout = () => fail(new ExtractError(`not read within ${timeoutMs / 1000} s`));
    let timer = setTimeout(onTimeout, START_MS_MAX);
    worker.on('message', onMessage).once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage({ id, source } satisfies ToExtract);
  });
}
