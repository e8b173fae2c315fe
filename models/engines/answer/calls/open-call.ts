import { createCallParser, type CallableTools, type CallPiece } from './call-parser.ts';
import type { Trigger } from './call-trigger.ts';

/** `rest` is what follows the calls. If there was no call, the trigger was plain text, returned as `words`. */
type Read = { pieces: CallPiece[]; rest?: string; words?: string };

/** Calls that a trigger has announced. */
export function createOpenCall({ formats, lead, text }: Trigger, tools: CallableTools, firstIndex: number) {
  const reader = createCallParser(formats, tools, firstIndex);
  return {
    count: () => reader.count(),
    push(more: string): Read {
      const { pieces, rest } = reader.push(more);
      if (rest === undefined || reader.count() > firstIndex)
        return { pieces, ...(rest !== undefined && { rest }) };
      return { pieces, rest: rest.slice(lead.length + text.length), words: text };
    },
  };
}
