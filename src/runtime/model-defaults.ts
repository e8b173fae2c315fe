import type { ChatMessage, ChatPrompt, ChatRequest } from './engine.ts';
import type { ModelDefaults } from './manifest.ts';
import type { Sampling } from '../config/sampling.ts';

/** The OpenAI API's. */
const SAMPLING: Sampling = { temperature: 1, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };

type Asked = ChatPrompt &
  Pick<ChatRequest, 'stop'> & {
    maxTokens?: number;
    /** What the client requested. */
    sampling: Partial<Sampling>;
    /** Defaults of the API that was called, if it has its own. */
    apiSampling?: Partial<Sampling>;
  };

/** The request takes precedence, then the model's defaults, then the API's. */
export function withDefaults<Input extends Asked>(input: Input, defaults: ModelDefaults = {}) {
  const { apiSampling, ...request } = input;
  const maxTokens = input.maxTokens ?? defaults.maxTokens;
  return {
    ...request,
    ...withDefaultMessages(input, defaults),
    sampling: { ...SAMPLING, ...apiSampling, ...defaults.sampling, ...input.sampling },
    stop: input.stop.length > 0 ? input.stop : [...(defaults.stop ?? [])],
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

/** A system prompt in the request replaces the model's. */
export function withDefaultMessages<Prompt extends ChatPrompt>(
  prompt: Prompt,
  { system, messages = [] }: ModelDefaults = {},
): Prompt {
  const isWhole = prompt.raw !== undefined || prompt.messages.some(({ role }) => role === 'system');
  if (isWhole || (system === undefined && messages.length === 0)) return prompt;
  const before: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: system }];
  return { ...prompt, messages: [...before, ...messages, ...prompt.messages] };
}
