import type { ChatCompletionRequest, ChatMessage } from '../../../src/api/chat/chat.ts';
import type { Client } from '../../client/client.ts';
import { receiveReply, type Reply } from '../reply.ts';
import type { Asking, Toolbox } from './toolbox.ts';

/** A model that calls tools endlessly is asked for its answer. */
const ROUNDS_MAX = 10;

type ReplyOptions = Parameters<typeof receiveReply>[2] & {
  /** Called with each message before the answer: one with calls, or the result of a call. */
  onMessage?: (message: ChatMessage) => Promise<void>;
};

/** A reply whose calls are run, as often as the model wants more of them. */
export async function replyWithTools(
  client: Client,
  request: ChatCompletionRequest,
  options: ReplyOptions,
  { toolbox, ...asking }: Asking & { toolbox: Toolbox },
): Promise<Reply> {
  const messages = [...request.messages];
  for (let round = 0; ; round++) {
    const tools = round < ROUNDS_MAX ? { tools: toolbox.definitions } : {};
    const reply = await receiveReply(client, { ...request, messages, ...tools }, options);
    if (reply.failure !== undefined || reply.toolCalls.length === 0) return reply;
    const add = async (message: ChatMessage) => {
      messages.push(message);
      await options.onMessage?.(message);
    };
    try {
      await add({ role: 'assistant', content: reply.content, tool_calls: reply.toolCalls });
      for (const call of reply.toolCalls) {
        const content = await toolbox.call(call, asking);
        await add({ role: 'tool', tool_call_id: call.id, content });
      }
    } catch (thrown) {
      return { ...reply, failure: thrown instanceof Error ? thrown : new Error(String(thrown)) };
    }
  }
}
