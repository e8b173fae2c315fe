import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure } from '../../src/base/errors.ts';
import { entryFile } from '../../src/base/paths.ts';
import { starterChat } from '../catalog/starter/starter-chat.ts';

const TRY_MS_MAX = 120_000;

/**
 * Compares the first token of the starter model between the new build and the prebuilt one, each in its own process,
 * since a broken build may crash.
 */
export async function checkBuild(folder: string, signal: AbortSignal): Promise<{ compared: boolean }> {
  const built = await firstToken(folder, signal);
  if (typeof built !== 'number') throw broken(`it does not run: ${built.reason}`);
  const prebuilt = await firstToken('', signal);
  // If no prebuilt engine runs, there is nothing to compare with, and all the more reason to use this one.
  if (typeof prebuilt !== 'number') return { compared: false };
  if (prebuilt !== built) throw broken('its output differs from that of the prebuilt engine');
  return { compared: true };
}

async function firstToken(folder: string, signal: AbortSignal): Promise<number | { reason: string }> {
  const args = [entryFile('models/try-llama.js'), starterChat.path, folder];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TRY_MS_MAX, signal });
    const { token } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"token"'))) as { token: number };
    return token;
  } catch (error) {
    signal.throwIfAborted();
    const {
      stderr = '',
      signal: end,
      message,
    } = error as { stderr?: string; signal?: string; message: string };
    const last = stderr.trim().split('\n').at(-1);
    return { reason: end ? `${end} ended it` : last || message };
  }
}

function broken(why: string): Failure {
  return new Failure(
    'model_load_failed',
    `The engine was compiled, but ${why}. It will not be used; the prebuilt one stays in use.`,
  );
}
