import { createChatTemplate } from '../../../models/engines/answer/template/chat-template.ts';
import type { Sample } from './sample.ts';
import { CONTROL_TOKENS, END_OF_TURN } from './template.ts';

export type Render = ReturnType<typeof renderer>;

/** Samples as the engine reads and writes them: the prompt, and the answer with the end of its turn. */
export function renderer(source: string) {
  const template = createChatTemplate({ source, bosToken: CONTROL_TOKENS[0], eosToken: END_OF_TURN });
  return ({ messages, tools = [], answer }: Sample): { prompt: string; answer: string } => ({
    prompt: template.render({ messages, tools }),
    answer: answer + END_OF_TURN,
  });
}
