import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { Environment } from '../../src/config/config.ts';
import type { Output } from '../output/output.ts';

/** Some openers exit at once; others are the browser itself and stay. */
const EARLY_FAILURE_MS_MAX = 3_000;

/** Opens a URL with the platform's opener. False if there is none, or if it has no browser. */
export async function openInBrowser(url: string, { env }: Pick<Environment, 'env'>): Promise<boolean> {
  const [file, args] = opener(url);
  const child = execa(file, args, {
    env,
    extendEnv: false,
    stdio: 'ignore',
    detached: true,
    cleanup: false,
    reject: false,
  });
  child.unref();
  const waiting = new AbortController();
  const timer = sleep(EARLY_FAILURE_MS_MAX, undefined, { signal: waiting.signal }).catch(() => undefined);
  const ended = await Promise.race([child, timer]);
  waiting.abort();
  return ended === undefined || !ended.failed;
}

/** Says that the page opens, if there is a screen for it. */
export async function showInBrowser(
  url: string,
  { environment, output }: { environment: Environment; output: Output },
): Promise<void> {
  if (environment.hasScreen && (await openInBrowser(url, environment)))
    output.note('Opening the page in your browser.');
}

/** None of these is a shell, so nothing in a URL can act as a command. */
function opener(url: string): [file: string, args: string[]] {
  if (process.platform === 'darwin') return ['open', [url]];
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
