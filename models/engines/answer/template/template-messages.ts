import { createHash } from 'node:crypto';
import { Failure } from '../../../../src/base/errors.ts';
import {
  messageText,
  type ChatMessage,
  type ChatPrompt,
  type Reasoning,
  type ToolCall,
  type ToolDefinition,
} from '../../../../src/runtime/engine.ts';

/** A message as chat templates know it. */
export type TemplateMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  reasoning_content?: string;
  /** Aliases of it. */
  reasoning?: string;
  thinking?: string;
  tool_calls?: TemplateCall[];
  tool_call_id?: string;
  name?: string;
};

export type TemplateCall = {
  id: string;
  type: 'function';
  function: { name: string; arguments: Record<string, unknown> };
};

export type TemplateInput = {
  messages: readonly TemplateMessage[];
  tools?: readonly ToolDefinition[];
  reasoning?: Reasoning;
  /** Template variables that the client sets. */
  arguments?: Readonly<Record<string, unknown>>;
  /** The last message is the assistant's, and the answer continues it. */
  continues?: boolean;
};

/** Renders the template itself, with or without the generation prompt. */
export type RenderRaw = (input: TemplateInput, addPrompt?: boolean) => string;

/** The input of the template; without tools if none may be called. */
export function toTemplateInput(prompt: ChatPrompt): TemplateInput {
  const { messages, tools = [], toolChoice, reasoning, templateArguments, continues } = prompt;
  return {
    messages: toTemplateMessages(messages),
    tools: toolChoice === 'none' ? [] : tools,
    ...(reasoning && { reasoning }),
    ...(templateArguments && { arguments: templateArguments }),
    ...(continues && { continues }),
  };
}

export function toTemplateMessages(messages: readonly ChatMessage[]): TemplateMessage[] {
  const names = new Map<string, string>();
  return messages.map((message, index) => {
    const content = messageText(message);
    if (message.role === 'tool') {
      const name = names.get(message.toolCallId);
      return { role: 'tool', content, tool_call_id: callId(message.toolCallId), ...(name && { name }) };
    }
    const named = message.name === undefined ? {} : { name: message.name };
    if (message.role !== 'assistant') return { role: message.role, content, ...named };
    const calls = message.toolCalls ?? [];
    for (const { id, name } of calls) names.set(id, name);
    const param = (call: number) => `messages[${index}].tool_calls[${call}].function.arguments`;
    return {
      role: 'assistant',
      content,
      ...named,
      ...(message.reasoning && thoughtsOf(message.reasoning)),
      ...(calls.length > 0 && { tool_calls: calls.map((call, place) => toTemplateCall(call, param(place))) }),
    };
  });
}

/** Each family of templates has its own name for it. */
function thoughtsOf(thought: string) {
  return { reasoning_content: thought, reasoning: thought, thinking: thought };
}

/** Templates serialize the arguments themselves, so they need an object. */
function toTemplateCall({ id, name, arguments: text }: ToolCall, param: string): TemplateCall {
  return { id: callId(id), type: 'function', function: { name, arguments: parseArguments(text, param) } };
}

function parseArguments(text: string, param: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Rejected below, like everything that is not an object.
  }
  throw new Failure('invalid_value', 'The arguments of a tool call must be a JSON object, as a string.', {
    param,
  });
}

/** Some templates only accept ids of nine letters and digits. */
const ID_LENGTH = 9;

function callId(id: string): string {
  if (id.length === ID_LENGTH && /^[a-zA-Z0-9]+$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, ID_LENGTH);
}
