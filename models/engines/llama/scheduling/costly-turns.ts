import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageText, type ChatPrompt } from '../../../../src/runtime/engine.ts';

/** Shorter work blocks nobody. */
const COSTLY_MS = 20;
/** Tokens are generated for this many times as long as costly work took, before the next costly work. */
const REST = 4;
/** Texts up to this length take almost no time to tokenize. */
const CHARACTERS_MAX = 65_536;
const REMEMBERED_MAX = 1_000;

/** Counting the tokens of a schema is cheap; building its grammar may not be. */
type Purpose = 'count' | 'answer';

/**
 * Lets work on this thread, such as building grammars, take turns with the running answers. After costly work the
 * next one waits, so that many costly requests together take a bounded share of the time. Work known to be cheap does
 * not wait behind them: prompts without a grammar, and grammars that were already built.
 */
export function createCostlyTurns() {
  let line: Promise<unknown> = Promise.resolve();
  const cheap = new Set<string>();

  return async <Result>(
    prompt: ChatPrompt,
    purpose: Purpose,
    work: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const kind = kindOf(prompt, purpose);
    if (kind === PLAIN || cheap.has(kind)) return work();
    const done = line.then(async () => {
      const startedAt = performance.now();
      try {
        return { result: await work() };
      } catch (error) {
        return { error };
      } finally {
        const tookMs = performance.now() - startedAt;
        rest = tookMs > COSTLY_MS ? sleep(tookMs * REST) : undefined;
        if (!rest && kind !== UNKNOWN) remember(cheap, kind);
      }
    });
    let rest: Promise<void> | undefined;
    line = done.then(() => rest);
    return done.then((outcome) => {
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    });
  };
}

const PLAIN = 'plain';
const UNKNOWN = 'unknown';

/** What determines how long the work takes: the grammar of the prompt, or its length. */
function kindOf(prompt: ChatPrompt, purpose: Purpose): string {
  const { format, tools = [], toolChoice } = prompt;
  if (!isShort(prompt)) return UNKNOWN;
  if (format === undefined && tools.length === 0) return PLAIN;
  try {
    const text = JSON.stringify([purpose, format, tools, toolChoice]);
    return createHash('sha256').update(text).digest('base64');
  } catch {
    // It is nested too deeply even to be serialized.
    return UNKNOWN;
  }
}

function isShort({ messages, raw }: ChatPrompt): boolean {
  const length = messages.reduce((sum, message) => sum + messageText(message).length, raw?.text.length ?? 0);
  return length <= CHARACTERS_MAX;
}

function remember(kinds: Set<string>, kind: string): void {
  if (kinds.size >= REMEMBERED_MAX) kinds.clear();
  kinds.add(kind);
}
