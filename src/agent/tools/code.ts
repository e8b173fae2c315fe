import { Worker } from 'node:worker_threads';

export type CodeJob = { source: string; input?: unknown; cpuMs: number; outputCharacters: number };

/** What the program printed, and how it ended. */
export type CodeOutcome = {
  status: 'ok' | 'error' | 'timeout' | 'out_of_memory';
  output: string;
  error?: string;
};

export type FromCode = CodeOutcome | { status: 'started' };

export type Sandbox = ReturnType<typeof createSandbox>;

const CPU_MS = 2_000;
/** For a program that ignores interrupts. */
const WALL_MS = 4_000;
const START_MS_MAX = 30_000;
const OUTPUT_CHARACTERS = 8_192;
const SOURCE_CHARACTERS_MAX = 20_000;

/**
 * Runs a program that a model wrote, in its own thread and WebAssembly VM, without access to files, network, clock or
 * environment. Both are discarded when it ends.
 */
export function createSandbox(entry: string) {
  function run(
    source: string,
    { input, signal }: { input?: unknown; signal: AbortSignal },
  ): Promise<CodeOutcome> {
    if (source.length > SOURCE_CHARACTERS_MAX) {
      return Promise.resolve(
        failed('error', `the program is longer than ${SOURCE_CHARACTERS_MAX} characters`),
      );
    }
    const job: CodeJob = { source, input, cpuMs: CPU_MS, outputCharacters: OUTPUT_CHARACTERS };
    const worker = new Worker(entry, {
      workerData: job,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64, stackSizeMb: 4 },
      stdout: true,
      stderr: true,
    });
    return outcomeOf(worker, signal).finally(() => void worker.terminate());
  }
  return { run };
}

function outcomeOf(worker: Worker, signal: AbortSignal): Promise<CodeOutcome> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    const onTimeout = () => resolve(failed('timeout', 'the program timed out'));
    let timer = setTimeout(onTimeout, START_MS_MAX);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    worker.on('message', (message: FromCode) => {
      clearTimeout(timer);
      if (message.status === 'started') timer = setTimeout(onTimeout, WALL_MS);
      else {
        settle();
        resolve(message);
      }
    });
    worker.once(
      'error',
      (error) => (settle(), resolve(failed('error', `the program failed: ${messageOf(error)}`))),
    );
    worker.once('exit', () => (settle(), resolve(failed('error', 'the program ended without a result'))));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function failed(status: CodeOutcome['status'], error: string): CodeOutcome {
  return { status, output: '', error };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
