import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { Reply } from './reply.ts';
import type { SavedChat } from './saved-chats.ts';
import type { Talk } from './talk.ts';

/** A command that is killed loses at most this much of a reply. */
const SAVE_MS = 1000;

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
  let saving: Promise<void> | undefined;
  let savedAt = -Infinity;
  let hasFailed = false;

  async function save(): Promise<void> {
    savedAt = performance.now();
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
      if (saving !== undefined || performance.now() - savedAt < SAVE_MS) return;
      saving = save().finally(() => (saving = undefined));
    },
    async end({ content, reasoning }) {
      await saving;
      if (content === '') return;
      Object.assign(answer, { content, ...(reasoning !== '' && { reasoning_content: reasoning }) });
      talk.messages.push(question, answer);
      await save();
      delete answer.reasoning_content;
    },
  };
}
