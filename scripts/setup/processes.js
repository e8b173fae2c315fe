import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command in the repository; returns its exit code and everything that it printed. */
export function runQuietly(command, args, env = {}) {
  return run(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command in the repository on this process's own terminal; returns its exit code. */
export async function runAloud(command, args, env = {}) {
  const { code } = await run(command, args, { env, stdio: 'inherit' });
  return code;
}

function run(command, args, { env, stdio }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream]?.setEncoding('utf8').on('data', (text) => (output[stream] += text));
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, ...output }));
  });
}

const COUNT_EVERY_MS = 1000;
const DOT_EVERY_MS = 10_000;

/** Shows what is being done and, on the same line, how long it has taken so far. */
export async function timed(what, work, out = process.stdout) {
  out.write(`${what} ... `);
  const startedAt = performance.now();
  const count = () => out.write(out.isTTY ? `\r${what} ... ${secondsSince(startedAt)} ` : '. ');
  const timer = setInterval(count, out.isTTY ? COUNT_EVERY_MS : DOT_EVERY_MS);
  try {
    const result = await work();
    out.write(`${out.isTTY ? `\r${what} ... ` : ''}${secondsSince(startedAt)}\n`);
    return result;
  } catch (error) {
    out.write('failed\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}

export function secondsSince(startedAt) {
  const seconds = (performance.now() - startedAt) / 1000;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

/** Wraps a script's whole run: a failure is one plain message, and the exit code reports it. */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
