import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { install } from './daemon/installation.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = /^(?:\/\/ {3}|#? {4})((?:node|python3|npx|WEBHOOK_SECRET=).+)$/gm;
const CELLS = /^\| \[.*\]\(([^)]+)\).*`([^`]+)` *\|$/gm;

/** The commands that the first lines of an example tell a reader to run. */
export function commandsOf(example: string): string[] {
  const text = readFileSync(path.join(ROOT, 'examples', example), 'utf8');
  return [...text.matchAll(COMMAND)].map(([, command = '']) => command);
}

/** The table of examples/README.md: each example with its command. */
export function tableOfExamples(): { example: string; command: string }[] {
  const text = readFileSync(path.join(ROOT, 'examples/README.md'), 'utf8');
  return [...text.matchAll(CELLS)].map(([, example = '', command = '']) => ({ example, command }));
}

/** A daemon with the starter models, and a shell in the repository in which examples/README.md has been followed. */
export async function openExamples() {
  const installation = install({ ASKD_OFFLINE: 'true' });
  const { askd, environment } = installation;
  const { base_url: baseURL } = (await askd(['up', '--json'])).json<{ base_url: string }>();
  const { stdout: key } = await askd(['keys', 'create', '--name', 'examples']);
  const env = { ...environment, OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: key, PYTHONUNBUFFERED: '1' };

  /** Starts a long-running command: it ends with its test, and so does everything that its shell started. */
  function start(command: string, more: Record<string, string> = {}) {
    // npx would look for its own configuration and updates first.
    const line = command.replaceAll('npx askd', `"${process.execPath}" bin/askd.js`);
    const running = execa(line, {
      shell: true,
      cwd: ROOT,
      env: { ...env, ...more },
      detached: true,
      reject: false,
      all: true,
    });
    let printed = '';
    running.all.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
      const hasEnded = running.exitCode !== null || running.signalCode !== null;
      if (!hasEnded && running.pid !== undefined) process.kill(-running.pid, signal);
      await running;
    };
    onTestFinished(() => stop());
    const prints = async (pattern: RegExp): Promise<string> => {
      await expect.poll(() => printed, { timeout: 60_000 }).toMatch(pattern);
      return pattern.exec(printed)?.[1] ?? '';
    };
    return { running, stop, prints, printed: () => printed };
  }

  /** Runs a command to its end. */
  async function run(command: string, more: Record<string, string> = {}) {
    const { stdout, stderr, exitCode } = await start(command, more).running;
    return { stdout, stderr, exitCode };
  }

  return { ...installation, baseURL, key, start, run };
}
