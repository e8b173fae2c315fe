import type { Theme } from '../output/markdown/themes.ts';
import type { PictureMode } from '../output/pictures/protocol.ts';
import type { ChatCompletionRequest, ChatMessage } from '../../src/api/chat/chat.ts';

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
  /** The JSON schema of the answer. */
  schema?: unknown;
  /** Any JSON. */
  format?: 'json';
  think?: (typeof THINK)[number];
  showPrompt?: boolean;
  /** MCP servers whose tools the model may call. */
  mcp?: string[];
  theme?: Theme;
  /** How images are shown. */
  images?: PictureMode;
};

export const THINK = ['off', 'low', 'medium', 'high'] as const;

/** Only the given options are sent: the server has the defaults. */
export function chatRequest(options: ChatOptions, messages: readonly ChatMessage[]): ChatCompletionRequest {
  const { model, system, maxTokens, temperature, topP, stop, seed, stream, stats, think } = options;
  return {
    model,
    messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...messages],
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop !== undefined && { stop }),
    ...(seed !== undefined && { seed }),
    ...responseFormat(options),
    ...(think !== undefined && { reasoning_effort: think === 'off' ? ('none' as const) : think }),
    ...(stream && stats && { stream_options: { include_usage: true } }),
  };
}

function responseFormat({ schema, format }: ChatOptions): Pick<ChatCompletionRequest, 'response_format'> {
  if (schema !== undefined) return { response_format: { type: 'json_schema', json_schema: { schema } } };
  return format === undefined ? {} : { response_format: { type: 'json_object' } };
}

/** Whether the reply is prose for people rather than JSON for a program. */
export function isProse({ schema, format }: ChatOptions): boolean {
  return schema === undefined && format === undefined;
}
