import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { findChild } from './sandbox/inner-process.ts';
import type { FromRunner, ToRunner } from './wire.ts';

const FORCE_KILL_AFTER_MS = 5_000;
const TAIL_LINES_MAX = 20;

export type RunnerExit = { code: number | undefined; signal: string | undefined; lastWords: string };

export type RunnerProcess = ReturnType<typeof spawnRunner>;

export type SpawnOptions = {
  file: string;
  args: readonly string[];
  environment: Record<string, string>;
  /** The process that is started only supervises the runner, which is in its own namespace. */
  isWrapped: boolean;
  onOutput?: ((line: string) => void) | undefined;
};

/** The child process itself: messages in, messages out, and how it exited. It knows nothing about models. */
export function spawnRunner({ file, args, environment, isWrapped, onOutput }: SpawnOptions) {
  const child = execa(file, args, {
    ipc: true,
    serialization: 'advanced',
    env: environment,
    extendEnv: false,
    // Ctrl-C in a terminal reaches the whole process group; a runner ignores it, but its wrapper would exit.
    detached: isWrapped,
    stdin: 'ignore',
    buffer: false,
    reject: false,
    forceKillAfterDelay: FORCE_KILL_AFTER_MS,
  });
  const tail = keepTail([child.stdout, child.stderr], onOutput);
  const exited: Promise<RunnerExit> = child.then(
    (result) => ({ ...(isWrapped ? unwrapExit(result) : exitOf(result)), lastWords: tail() }),
    (error: unknown) => ({ code: undefined, signal: undefined, lastWords: String(error) }),
  );

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
    kill(signal: 'SIGTERM' | 'SIGKILL'): void {
      child.kill(signal);
    },
  };
}

type Ended = { exitCode?: number | undefined; signal?: string | undefined };

const exitOf = ({ exitCode, signal }: Ended) => ({ code: exitCode, signal });

/** Like a shell, the wrapper exits with 128 plus the number of the signal that ended the runner. */
function unwrapExit({ exitCode, signal }: Ended): { code: number | undefined; signal: string | undefined } {
  const number = (exitCode ?? 0) - 128;
  const [name] = Object.entries(constants.signals).find(([, each]) => each === number) ?? [];
  return name === undefined ? { code: exitCode, signal } : { code: undefined, signal: name };
}

function keepTail(streams: Readable[], onOutput?: (line: string) => void): () => string {
  const lines: string[] = [];
  for (const input of streams) {
    createInterface({ input }).on('line', (line) => {
      if (line.trim() === '') return;
      onOutput?.(line);
      lines.push(line);
      if (lines.length > TAIL_LINES_MAX) lines.shift();
    });
  }
  return () => lines.join('\n');
}
