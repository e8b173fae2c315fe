import { SECONDS_PER_TIMESTAMP, type WhisperTokens } from './tokens.ts';

/** A range of tokens with its times, in seconds from the start of the window. `from` counts all tokens. */
export type SpokenSpan = { start: number; end: number; tokens: number[]; from: number };

/** Splits the tokens at their timestamps. A segment without an end timestamp ends with the window. */
export function toSpokenSpans(
  decoded: readonly number[],
  { timestamps }: WhisperTokens,
  windowSeconds: number,
): SpokenSpan[] {
  const spans: SpokenSpan[] = [];
  let open: SpokenSpan = { start: 0, end: windowSeconds, tokens: [], from: 0 };
  const close = (end: number) => {
    if (open.tokens.length > 0) spans.push({ ...open, end: Math.min(end, windowSeconds) });
  };
  decoded.forEach((token, index) => {
    if (token < timestamps) {
      open.tokens.push(token);
      return;
    }
    const time = (token - timestamps) * SECONDS_PER_TIMESTAMP;
    close(time);
    open = { start: Math.min(time, windowSeconds), end: windowSeconds, tokens: [], from: index + 1 };
  });
  close(windowSeconds);
  return spans;
}

/**
 * How much of the window is done, in seconds: all of it, unless the model started another segment without ending it,
 * which is then decoded again.
 */
export function decodedSeconds(
  decoded: readonly number[],
  { timestamps }: WhisperTokens,
  windowSeconds: number,
): number {
  const [before, last] = [decoded.at(-2) ?? 0, decoded.at(-1) ?? 0];
  if (last < timestamps || before < timestamps) return windowSeconds;
  const time = (last - timestamps) * SECONDS_PER_TIMESTAMP;
  return time < LEAST_STEP_SECONDS ? windowSeconds : Math.min(time, windowSeconds);
}

const LEAST_STEP_SECONDS = 1;
