import type { Context } from '../../context.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { throughTmux } from '../../output/tmux.ts';

/** Called with how long an answer took, and the message to show. */
export type Notify = (tookMs: number, text: string) => void;

const BELL = '\u0007';

/**
 * Notifies people who have turned to something else that a long answer is complete: with the bell and, where
 * supported, with text.
 */
export function createNotify(
  { io: { stdout }, environment: { env } }: Pick<Context, 'io' | 'environment'>,
  { afterMs, hasWords }: { afterMs: number; hasWords: boolean },
): Notify {
  return (tookMs, text) => {
    if (tookMs < afterMs) return;
    const words = hasWords ? throughTmux(`\u001b]9;askd: ${sanitiseLine(text)}\u0007`, env) : '';
    stdout.write(words + BELL);
  };
}
