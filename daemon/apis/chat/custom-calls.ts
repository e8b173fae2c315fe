import type { ChatProgress } from '../../../src/inference/chat.ts';
import { freeText } from './custom-tools.ts';

/**
 * Replaces the arguments of custom tool calls with the free text in them. It is sent in one piece, because only
 * complete arguments can be parsed.
 */
export async function* withCustomCalls(
  progress: AsyncIterable<ChatProgress>,
  custom: ReadonlySet<string>,
): AsyncGenerator<ChatProgress> {
  const open = new Map<string, { json: string; index: number; choice?: number; completionTokens: number }>();
  const close = function* (choice = 0) {
    for (const [id, { json, ...call }] of open) {
      if ((call.choice ?? 0) !== choice) continue;
      open.delete(id);
      yield { type: 'toolArguments' as const, ...call, text: freeText(json) };
    }
  };
  for await (const event of progress) {
    if (event.type === 'toolCall' || event.type === 'end') yield* close(event.choice);
    if (event.type === 'toolCall' && custom.has(event.name)) {
      const { index, choice, completionTokens } = event;
      const place = { index, completionTokens, ...(choice !== undefined && { choice }) };
      open.set(idOf(event), { json: '', ...place });
    }
    const call = event.type === 'toolArguments' ? open.get(idOf(event)) : undefined;
    if (call && event.type === 'toolArguments') call.json += event.text;
    else yield event;
  }
}

function idOf({ index, choice = 0 }: { index: number; choice?: number }): string {
  return `${choice} ${index}`;
}

/** For clients that do not want reasoning. */
export async function* withoutThoughts(progress: AsyncIterable<ChatProgress>): AsyncGenerator<ChatProgress> {
  for await (const event of progress) if (event.type !== 'reasoning') yield event;
}
