import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { execaNode } from 'execa';
import type { FromRunner, ToRunner } from './wire.ts';

const FORCE_KILL_AFTER_MS = 5_000;
const TAIL_LINES_MAX = 20;

export type RunnerExit = { code: number | undefined; signal: string | undefined; lastWords: string };

export type RunnerProcess = ReturnType<typeof spawnRunner>;

export type SpawnOptions = {
  entry: string;
  environment: Record<string, string>;
  onOutput?: ((line: string) => void) | undefined;
};

/** The child process itself: messages in, messages out, and how it exited. It knows nothing of models. */
export function spawnRunner({ entry, environment, onOutput }: SpawnOptions) {
  const child = execaNode(entry, [], {
    ipc: true,
    serialization: 'advanced',
    env: environment,
    stdin: 'ignore',
    buffer: false,
    reject: false,
    forceKillAfterDelay: FORCE_KILL_AFTER_MS,
    nodeOptions: [],
  });
  const tail = keepTail([child.stdout, child.stderr], onOutput);
  const exited: Promise<RunnerExit> = child.then(
    (result) => ({ code: result.exitCode, signal: result.signal, lastWords: tail() }),
    (error: unknown) => ({ code: undefined, signal: undefined, lastWords: String(error) }),
  );

  return {
    pid: child.pid ?? 0,
    exited,
    send(message: ToRunner): void {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage(listen: (message: FromRunner) => void): void {
      child.on('message', (message) => listen(message as FromRunner));
    },
    kill(signal: 'SIGTERM' | 'SIGKILL'): void {
      child.kill(signal);
    },
  };
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
