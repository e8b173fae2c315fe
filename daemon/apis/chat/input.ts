import type { ChatCompletionRequest } from '../../../src/api/chat/chat.ts';
import type { ChatInput } from '../../../src/inference/chat.ts';
import type { Reasoning, Sampling } from '../../../src/runtime/engine.ts';
import { readFormat } from './response-format.ts';
import { toMessages, type Images } from './messages.ts';
import { readTools } from './tools.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import { invalid } from '../../http/required.ts';

export type ReadChat = {
  input: ChatInput;
  /** The names of the tools that take free text. */
  custom: ReadonlySet<string>;
  hidesThoughts: boolean;
};

type Reading = { images: Images; leaveOut: LeaveOut };

/** Translates OpenAI's chat completions to our own types, and does nothing else. */
export function readChat(body: ChatCompletionRequest, { images, leaveOut }: Reading): ReadChat {
  checkChatRequest(body);
  const maxTokens = body.max_completion_tokens ?? body.max_tokens ?? generationLimit(body.n_predict);
  const format = readFormat(body);
  const reasoning = readReasoning(body);
  const { prompt, custom } = readTools(body, leaveOut);
  const messages = toMessages(body.messages, images);
  const templateArguments = {
    ...(body.enable_thinking !== undefined && { enable_thinking: body.enable_thinking }),
    ...body.chat_template_kwargs,
  };
  const input: ChatInput = {
    model: body.model,
    messages,
    stream: body.stream ?? false,
    ...(maxTokens !== undefined && { maxTokens }),
    stop: body.stop === undefined ? [] : [body.stop].flat(),
    sampling: readSampling(body),
    ...prompt,
    ...(continuesAnswer(body) && { continues: true }),
    ...(Object.keys(templateArguments).length > 0 && { templateArguments }),
    ...(format && { format }),
    ...(body.n !== undefined && body.n > 1 && { choices: body.n }),
    ...(body.logprobs && { logprobs: { top: body.top_logprobs ?? 0 } }),
    ...(body.logit_bias && Object.keys(body.logit_bias).length > 0 && { logitBias: body.logit_bias }),
    ...(reasoning && { reasoning }),
  };
  const hidesThoughts = body.reasoning?.exclude === true || body.include_reasoning === false;
  return { input, custom, hidesThoughts };
}

/** Rules that the schema of a single field cannot express. */
function checkChatRequest(body: ChatCompletionRequest): void {
  if (body.stream_options && !body.stream)
    throw invalid('stream_options', '"stream_options" needs "stream": true.');
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    throw invalid('max_tokens', 'Give "max_tokens" or "max_completion_tokens", not both.');
  if (body.top_logprobs !== undefined && !body.logprobs)
    throw invalid('top_logprobs', '"top_logprobs" needs "logprobs": true.');
}

/** llama-server's -1 means "no limit". */
function generationLimit(tokens: number | undefined): number | undefined {
  return tokens === undefined || tokens < 0 ? undefined : tokens;
}

export type SamplingBody = Pick<
  ChatCompletionRequest,
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'min_p'
  | 'typical_p'
  | 'repeat_penalty'
  | 'repetition_penalty'
  | 'repeat_last_n'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'seed'
>;

export function readSampling(body: SamplingBody): Partial<Sampling> {
  const repeatPenalty = body.repeat_penalty ?? body.repetition_penalty;
  return {
    ...(body.temperature !== undefined && { temperature: body.temperature }),
    ...(body.top_p !== undefined && { topP: body.top_p }),
    ...(body.top_k !== undefined && { topK: Math.max(0, body.top_k) }),
    ...(body.min_p !== undefined && { minP: body.min_p }),
    ...(body.typical_p !== undefined && { typicalP: body.typical_p }),
    ...(repeatPenalty !== undefined && { repeatPenalty }),
    ...(body.repeat_last_n !== undefined && { repeatLastTokens: body.repeat_last_n }),
    ...(body.presence_penalty !== undefined && { presencePenalty: body.presence_penalty }),
    ...(body.frequency_penalty !== undefined && { frequencyPenalty: body.frequency_penalty }),
    // Local servers use -1 for "random".
    ...(body.seed !== undefined && body.seed !== -1 && { seed: body.seed }),
  };
}

/** Several servers have names for the same thing; the most specific one counts. */
function readReasoning(body: ChatCompletionRequest): Reasoning | undefined {
  const { reasoning: requested = {}, reasoning_effort: named, enable_thinking: isEnabled } = body;
  const word = requested.effort ?? named;
  const isOff = requested.enabled === false || (isEnabled === false && word === undefined);
  if (isOff) return { effort: 'none' };
  const effort = word === 'max' ? 'xhigh' : word;
  const { max_tokens: maxTokens } = requested;
  const isOn = requested.enabled === true || isEnabled === true || maxTokens !== undefined;
  if (effort === undefined && !isOn) return undefined;
  return { effort: effort ?? 'medium', ...(maxTokens !== undefined && { maxTokens }) };
}

/** A final assistant message is continued, as in llama-server, unless vLLM's switches say otherwise. */
function continuesAnswer(body: ChatCompletionRequest): boolean {
  const last = body.messages.at(-1);
  const isAnswer = last?.role === 'assistant' && !last.tool_calls?.length;
  if (!isAnswer) {
    if (body.continue_final_message)
      throw invalid(
        'continue_final_message',
        'The last message is not an assistant message that can be continued.',
      );
    return false;
  }
  return body.continue_final_message ?? !body.add_generation_prompt;
}
