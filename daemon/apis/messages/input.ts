import type { CountTokensRequest, MessagesRequest } from '../../../src/api/chat/messages.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { ChatInput } from '../../../src/inference/chat.ts';
import { findServiceModel } from '../../../src/library/service-models.ts';
import type { ChatMessage, ChatPrompt } from '../../../src/runtime/engine.ts';
import { invalid, required } from './invalid.ts';
import { toTools } from './tools.ts';
import { toTurns, type Reading } from './turns.ts';

/** Translates Anthropic's Messages API to our own types, and does nothing else. */
export async function toChatInput(body: MessagesRequest, reading: Reading): Promise<ChatInput> {
  if (body.thread !== undefined) throw keepsNoThreads();
  return {
    ...(await toPrompt(body, reading)),
    model: body.model,
    stream: body.stream ?? false,
    maxTokens: tokensAllowed(body),
    stop: body.stop_sequences ?? [],
    sampling: {
      ...(body.temperature !== undefined && { temperature: body.temperature }),
      ...(body.top_p !== undefined && { topP: body.top_p }),
      ...(body.top_k !== undefined && { topK: Math.max(0, body.top_k) }),
    },
  };
}

/** Clients of this API request the maximum of the largest models, so it is capped. */
export function tokensAllowed({ model, max_tokens: requested }: MessagesRequest): number {
  return Math.min(requested, findServiceModel(model)?.outputTokensMax ?? requested);
}

export async function toPrompt(body: CountTokensRequest, reading: Reading): Promise<ChatPrompt> {
  const { system, messages, thinking, output_config: output, output_format: format } = body;
  const systemText = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n');
  const turns = await toTurns(messages, reading);
  if (turns.every(({ role }) => role === 'system'))
    throw invalid('messages', '"messages" needs at least one message with the role user.');
  const schema = (output?.format ?? format)?.schema;
  return {
    messages: systemText === '' ? turns : [{ role: 'system', content: systemText }, ...turns],
    ...(continues(turns, messages.length - 1) && { continues: true as const }),
    ...toTools(body, reading),
    ...(schema && { format: { type: 'schema' as const, schema } }),
    reasoning: toReasoning(thinking, output?.effort),
  };
}

/** A final assistant message is continued verbatim. */
function continues(turns: readonly ChatMessage[], index: number): boolean {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return false;
  if (!last.toolCalls) return true;
  throw invalid(
    `messages[${index}].content`,
    'The last message calls a tool. Send its result as a tool_result in a message with the role user.',
  );
}

type Effort = NonNullable<NonNullable<MessagesRequest['output_config']>['effort']>;

/** Off by default, as in Anthropic's API. */
function toReasoning(
  thinking: MessagesRequest['thinking'],
  effort: Effort = 'high',
): ChatPrompt['reasoning'] & object {
  if (thinking?.type === 'adaptive') return { effort: effort === 'max' ? 'xhigh' : effort };
  if (thinking?.type !== 'enabled') return { effort: 'none' };
  return { effort: 'medium', maxTokens: required(thinking.budget_tokens, 'thinking.budget_tokens') };
}

/** The official clients recognise this wording and then send the whole conversation. */
function keepsNoThreads(): Failure {
  return new Failure(
    'unsupported_parameter',
    'Conversations of this API are not stored. Omit "thread" and send all messages each time.',
    { param: 'thread', details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
  );
}
