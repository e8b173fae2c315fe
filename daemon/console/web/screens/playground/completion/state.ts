import type { ChatCompletionChunk } from '../../../../../../src/api/chat/chat.ts';
import type {
  CompletionRequest,
  TextCompletion,
  TextLogprobs,
} from '../../../../../../src/api/chat/completions.ts';
import { DEFAULTS, toBody, type ChatSettings } from '../chat/settings/settings.ts';
import { afterReload } from '../chat/state/conversation.ts';
import { createKeptStore } from '../chat/state/kept-store.ts';
import type { AnswerTurn, Token } from '../chat/state/turn.ts';

export type Completing = {
  settings: ChatSettings;
  prompt: string;
  suffix: string;
  echo: boolean;
  answer?: AnswerTurn;
};

const EMPTY: Completing = { settings: { ...DEFAULTS }, prompt: '', suffix: '', echo: false };
const LOGPROBS_MAX = 5;
/** Parameters that a chat accepts and a completion does not. */
const OF_CHATS = [
  ...['messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'reasoning_effort'],
  ...['chat_template_kwargs', 'logprobs', 'top_logprobs'],
];

export const {
  change,
  current,
  use: useCompleting,
} = createKeptStore({
  key: 'playground/completion',
  empty: EMPTY,
  restore: ({ settings, answer, ...before }) => ({
    ...before,
    settings: { ...DEFAULTS, ...settings },
    ...(answer && { answer: afterReload([answer])[0] as AnswerTurn }),
  }),
});

export function toCompletion({ settings, prompt, suffix, echo }: Completing): CompletionRequest {
  const given = Object.entries(toBody(settings, [])).filter(([name]) => !OF_CHATS.includes(name));
  const { model, ...others } = Object.fromEntries(given) as Omit<CompletionRequest, 'prompt'>;
  return {
    model,
    prompt,
    ...(suffix !== '' && { suffix }),
    ...(echo && { echo }),
    ...(settings.alternatives !== '' && { logprobs: Math.min(LOGPROBS_MAX, Number(settings.alternatives)) }),
    ...others,
  };
}

/** A piece of a completion as a piece of an answer. */
export function toChatChunk({ choices, ...rest }: TextCompletion): ChatCompletionChunk {
  return {
    ...rest,
    object: 'chat.completion.chunk',
    choices: choices.map(({ text, index, logprobs, finish_reason }) => ({
      index,
      delta: { content: text },
      finish_reason,
      ...(logprobs && { logprobs: { content: toTokens(logprobs), refusal: null } }),
    })),
  };
}

function toTokens({ tokens, token_logprobs: logprobs, top_logprobs: tops }: TextLogprobs): Token[] {
  return tokens.map((token, index) => ({
    ...toToken(token, logprobs[index] ?? 0),
    top_logprobs: Object.entries(tops[index] ?? {}).map(([each, logprob]) => toToken(each, logprob)),
  }));
}

function toToken(token: string, logprob: number) {
  return { token, logprob, bytes: [] };
}
