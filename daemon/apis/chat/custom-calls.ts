import type { ChatProgress } from '../../../src/inference/chat.ts';
import { freeText } from './custom-tools.ts';

/**
 * Puts the free text of custom tools in the place of the arguments that the model wrote for them. It comes in one piece:
 * only whole arguments can be read.
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

/** For clients that do not want to see thoughts. */
export async function* withoutThoughts(progress: AsyncIterable<ChatProgress>): AsyncGenerator<ChatProgress> {
  for await (const event of progress) if (event.type !== 'reasoning') yield event;
}
