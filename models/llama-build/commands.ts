import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Failure } from '../../src/base/errors.ts';

const LAST_LINES = 30;

type Options = { folder?: string; onLine?: (line: string) => void; signal?: AbortSignal };

/** Runs a command to its end; a failure has its last output. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { folder, onLine, signal }: Options = {},
): Promise<string[]> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(folder !== undefined && { cwd: folder }),
    ...(signal && { signal }),
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
      onLine?.(line);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return lines;
  throw new Failure(
    'model_load_failed',
    `${command} failed with ${code ?? 'a signal'}:\n${lines.join('\n')}`,
  );
}

/** The first line of its version output; undefined if it is missing or does not run. */
export async function versionOf(command: string): Promise<string | undefined> {
  try {
    return (await runCommand(command, ['--version']))[0];
  } catch {
    return undefined;
  }
}
