import type { ChatMessage } from '../../../src/api/chat/chat.ts';
import type { SavedMessage } from '../../../src/api/management/chats.ts';
import { newId } from '../../../src/base/ids.ts';
import { createPartialSaves } from '../../chat/partial-saves.ts';
import type { Client } from '../../client/client.ts';
import type { ChatAction } from './state.ts';

type Parts = { client: Client; chat: string; model: string; dispatch: (change: ChatAction) => void };

export type ReplyRecord = {
  text: (text: string) => void;
  thought: (thought: string) => void;
  /** A message with calls, or the result of a call: another one follows. */
  message: (each: ChatMessage) => Promise<void>;
  /** Unless nothing arrived. */
  end: () => Promise<void>;
};

/** Saves an answer while it arrives, with the calls and their results before it. */
export function recordReply({ client, chat, model, dispatch }: Parts, question: string): ReplyRecord {
  let received = '';
  let thoughts = '';
  let message = open(question);
  const saves = createPartialSaves(async () => {
    // The last write reports any error.
    await client.chats.put(chat, message).catch(() => undefined);
  });

  function open(parent: string): SavedMessage {
    const id = newId('msg');
    received = '';
    thoughts = '';
    dispatch({ kind: 'begun', chat, reply: { id, parent, model } });
    return { id, parent, role: 'assistant', content: '', model };
  }

  async function add(saved: SavedMessage): Promise<void> {
    await saves.settled();
    await client.chats.put(chat, saved);
    dispatch({ kind: 'message', chat, message: saved });
  }

  return {
    text(text: string): void {
      message.content = received += text;
      dispatch({ kind: 'arrived', chat, text });
      saves.arrived();
    },
    thought(thought: string): void {
      thoughts += thought;
      dispatch({ kind: 'arrived', chat, thought });
    },
    async message(each: ChatMessage): Promise<void> {
      const { parent = question } = message;
      const saved = each.role === 'tool' ? { ...each, id: newId('msg'), parent } : { ...message, ...each };
      await add(withThoughts(saved));
      message = open(saved.id);
    },
    async end(): Promise<void> {
      await saves.settled();
      if (received !== '' || thoughts !== '') await add(withThoughts(message));
    },
  };

  function withThoughts(saved: SavedMessage): SavedMessage {
    return thoughts === '' ? saved : { ...saved, reasoning_content: thoughts };
  }
}
