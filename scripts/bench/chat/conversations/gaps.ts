import { EventEmitter, once } from 'node:events';
import { user, type Ask } from '../client.ts';
import { beginConversations, textOf } from './turns.ts';

const STREAM_TOKENS_BEFORE = 8;
/** More than there are slots beside the stream, so that each turn saves one state and restores another. */
const CONVERSATIONS = 4;

/** The longest gap of a stream, in milliseconds, while other conversations take turns beside it. */
export async function gapBeside(
  ask: Ask,
  { tokens, serial }: { tokens: number; serial: number },
): Promise<number> {
  const beginnings = Array.from({ length: CONVERSATIONS }, (_, place) => [
    user(textOf(tokens, `beside ${serial} ${place}`)),
  ]);
  const others = await beginConversations(ask, { name: 'beside', beginnings });
  const arrivals: number[] = [];
  const stop = new AbortController();
  const running = new EventEmitter();
  const isRunning = once(running, 'text');
  const stream = ask([user(textOf(40, `stream ${serial}`))], {
    maxTokens: tokens,
    signal: stop.signal,
    onText() {
      arrivals.push(performance.now());
      if (arrivals.length === STREAM_TOKENS_BEFORE) running.emit('text');
    },
  });
  await Promise.race([isRunning, stream]);
  const from = performance.now();
  await others.nextTurn();
  stop.abort();
  await stream;
  const during = arrivals.filter((at) => at >= from);
  return Math.max(...during.map((at, index) => at - (during[index - 1] ?? from)));
}
