import type { ChatEvent, ChatRequest } from './engine.ts';
import type { Method } from './wire.ts';

/** How events of a call are merged while they wait to be read; undefined if each one counts. */
export function mergeOf(method: Method, input: unknown): typeof mergeText | undefined {
  return method === 'chat' && !(input as ChatRequest).isPieceByPiece ? mergeText : undefined;
}

/** Merges two queued pieces of the same text; undefined if they do not belong together. */
export function mergeText(earlier: unknown, later: unknown): ChatEvent | undefined {
  const [first, next] = [earlier as ChatEvent, later as ChatEvent];
  if (first.type === 'text' && next.type === 'text' && first.choice === next.choice) {
    const logprobs = [...(first.logprobs ?? []), ...(next.logprobs ?? [])];
    return { ...next, text: first.text + next.text, ...(logprobs.length > 0 && { logprobs }) };
  }
  if (first.type === 'reasoning' && next.type === 'reasoning' && first.choice === next.choice)
    return { ...next, text: first.text + next.text };
  if (first.type !== 'toolArguments' || next.type !== 'toolArguments') return undefined;
  const isSame = first.choice === next.choice && first.index === next.index;
  return isSame ? { ...next, text: first.text + next.text } : undefined;
}
