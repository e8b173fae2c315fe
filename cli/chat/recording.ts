import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { createPartialSaves } from './partial-saves.ts';
import type { Reply } from './reply.ts';
import type { SavedChat } from './saved-chats.ts';
import type { Talk } from './talk.ts';

export type Recording = {
  /** More of the reply has arrived. */
  text: (text: string) => void;
  /** Adds question and reply to the conversation, unless nothing arrived. */
  end: (reply: Pick<Reply, 'content' | 'reasoning' | 'model'>) => Promise<void>;
};

type Recorded = Pick<Talk, 'options' | 'messages'> & { saved: Pick<SavedChat, 'write'> };

/** Saves a question with its reply while the reply arrives. A failure is reported once, and the chat goes on. */
export function record(
  talk: Recorded,
  question: ChatMessage,
  { note }: { note: (text: string) => void },
): Recording {
  let received = '';
  const answer: ChatMessage = { role: 'assistant', content: '' };
  const whole = { options: talk.options, messages: [...talk.messages, question, answer] };
  const saves = createPartialSaves(save);
  let hasFailed = false;

  async function save(): Promise<void> {
    try {
      if (!hasFailed) await talk.saved.write(whole, answer);
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
    async end({ content, reasoning }) {
      await saves.settled();
      if (content === '') return;
      Object.assign(answer, { content, ...(reasoning !== '' && { reasoning_content: reasoning }) });
      talk.messages.push(question, answer);
      await save();
      delete answer.reasoning_content;
    },
  };
}
