import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { createPartialSaves } from './partial-saves.ts';
import type { Reply } from './reply.ts';
import type { SavedChat } from './saved-chats.ts';
import type { Talk } from './talk.ts';

export type Recording = {
  /** More of the reply has arrived. */
  text: (text: string) => void;
  /** A message before the answer: one with tool calls, or the result of a call. */
  message: (each: ChatMessage) => Promise<void>;
  /** Adds question and reply to the conversation, unless nothing arrived. */
  end: (reply: Pick<Reply, 'content' | 'reasoning' | 'model'>) => Promise<void>;
};

type Recorded = Pick<Talk, 'options' | 'messages'> & { saved: Pick<SavedChat, 'write'> };

/** Saves a question with its reply while the reply arrives. A failure is reported once, and the chat continues. */
export function record(
  talk: Recorded,
  question: ChatMessage,
  { note }: { note: (text: string) => void },
): Recording {
  let received = '';
  let answer: ChatMessage = { role: 'assistant', content: '' };
  /** The question, and the calls of tools with their results. */
  const added = [question];
  const saves = createPartialSaves(() => save(answer));
  let hasFailed = false;

  /** With what comes before it. */
  async function save(last: ChatMessage): Promise<void> {
    const messages = [...new Set([...talk.messages, ...added, last])];
    try {
      if (!hasFailed) await talk.saved.write({ options: talk.options, messages }, last);
    } catch (error) {
      hasFailed = true;
      note(`note: the conversation is not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    text(text) {
      answer.content = received += text;
      saves.arrived();
    },
    async message(each) {
      await saves.settled();
      const isCall = each.role === 'assistant';
      // What was saved of it so far is the text before the calls.
      const message = isCall ? Object.assign(answer, each) : each;
      if (isCall) answer = { role: 'assistant', content: (received = '') };
      added.push(message);
      await save(message);
    },
    async end({ content, reasoning }) {
      await saves.settled();
      if (content === '') return;
      Object.assign(answer, { content, ...(reasoning !== '' && { reasoning_content: reasoning }) });
      talk.messages.push(...added, answer);
      await save(answer);
      delete answer.reasoning_content;
    },
  };
}
