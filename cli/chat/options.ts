import type { ChatCompletionRequest, ChatMessage } from '../../src/api/chat.ts';

/** The flags of `askd chat`. */
export type ChatOptions = {
  model: string;
  system?: string;
  image?: string[];
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  stop?: string[];
  seed?: number;
  stream: boolean;
  stats?: boolean;
  /** What the answer must be: a JSON schema. */
  schema?: unknown;
  think?: (typeof THINK)[number];
  showPrompt?: boolean;
};

export const THINK = ['off', 'low', 'medium', 'high'] as const;

/** A request with only what was asked for: the server's defaults are the defaults. */
export function chatRequest(options: ChatOptions, messages: readonly ChatMessage[]): ChatCompletionRequest {
  const { model, system, maxTokens, temperature, topP, stop, seed, stream, stats, schema, think } = options;
  return {
    model,
    messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...messages],
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop !== undefined && { stop }),
    ...(seed !== undefined && { seed }),
    ...(schema !== undefined && {
      response_format: { type: 'json_schema' as const, json_schema: { schema } },
    }),
    ...(think !== undefined && { reasoning_effort: think === 'off' ? ('none' as const) : think }),
    ...(stream && stats && { stream_options: { include_usage: true } }),
  };
}
