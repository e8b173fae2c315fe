import { spawn } from 'node:child_process';

export type Ran = { code: number | null; stdout: string; stderr: string };

type Options = { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number };

/** Runs a program to its end without a terminal, with a time limit. */
export function runProgram(program: string, args: readonly string[], options: Options): Promise<Ran> {
  const { cwd, env, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      // Some programs trust PWD more than their working directory.
      env: { ...process.env, PWD: cwd, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
