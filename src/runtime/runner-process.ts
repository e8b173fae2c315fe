import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { findChild } from './sandbox/inner-process.ts';
import type { FromRunner, ToRunner } from './wire.ts';

const TAIL_LINES_MAX = 20;

type Exit = { code: number | undefined; signal: string | undefined };
export type RunnerExit = Exit & { lastWords: string };

export type RunnerProcess = ReturnType<typeof spawnRunner>;

export type SpawnOptions = {
  file: string;
  args: readonly string[];
  environment: Record<string, string>;
  /** The process that is started only supervises the runner, which is in its own namespace. */
  isWrapped: boolean;
  onOutput?: ((line: string) => void) | undefined;
};

/** None outlives the daemon, even if it is stuck in native code and cannot see that its parent is gone. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** The child process itself: messages in, messages out, and how it exited. It knows nothing about models. */
export function spawnRunner({ file, args, environment, isWrapped, onOutput }: SpawnOptions) {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: environment,
    windowsHide: true,
    // Ctrl-C in a terminal reaches the whole process group; a runner ignores it, but its wrapper would exit.
    detached: isWrapped,
  });
  running.add(child);
  const tail = keepTail([child.stdout, child.stderr], onOutput);
  const exited = new Promise<RunnerExit>((resolve) => {
    child.on('error', (error) => {
      // Otherwise it could not be signalled, and still runs.
      if (child.pid === undefined) resolve({ code: undefined, signal: undefined, lastWords: String(error) });
    });
    child.on('close', (code, signal) => {
      const exit = { code: code ?? undefined, signal: signal ?? undefined };
      resolve({ ...(isWrapped ? unwrapExit(exit) : exit), lastWords: tail() });
    });
  });
  void exited.then(() => running.delete(child));

  return {
    /** The runner's own pid, once it has responded. */
    pid: (): number => (isWrapped ? findChild(child.pid ?? 0) : (child.pid ?? 0)),
    exited,
    send(message: ToRunner): void {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage(listen: (message: FromRunner) => void): void {
      child.on('message', (message) => {
        for (const each of [message as FromRunner | FromRunner[]].flat()) listen(each);
      });
    },
    kill(signal: 'SIGKILL'): void {
      child.kill(signal);
    },
  };
}

/** Like a shell, the wrapper exits with 128 plus the number of the signal that ended the runner. */
function unwrapExit({ code, signal }: Exit): Exit {
  const number = (code ?? 0) - 128;
  const [name] = Object.entries(constants.signals).find(([, each]) => each === number) ?? [];
  return name === undefined ? { code, signal } : { code: undefined, signal: name };
}

function keepTail(streams: readonly (Readable | null)[], onOutput?: (line: string) => void): () => string {
  const lines: string[] = [];
  for (const input of streams) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      if (line.trim() === '') return;
      onOutput?.(line);
      lines.push(line);
      if (lines.length > TAIL_LINES_MAX) lines.shift();
    });
  }
  return () => lines.join('\n');
}
