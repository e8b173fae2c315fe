import { createChatTemplate } from '../../../models/engines/answer/chat-template.ts';
import type { Sample } from './sample.ts';
import { CHAT_TEMPLATE, CONTROL_TOKENS, END_OF_TURN } from './template.ts';

const template = createChatTemplate({
  source: CHAT_TEMPLATE,
  bosToken: CONTROL_TOKENS[0],
  eosToken: END_OF_TURN,
});

/** A sample as the engine reads and writes it: the prompt, and the answer with the end of its turn. */
export function render({ messages, tools = [], answer }: Sample): { prompt: string; answer: string } {
  return { prompt: template.render({ messages, tools }), answer: answer + END_OF_TURN };
}
