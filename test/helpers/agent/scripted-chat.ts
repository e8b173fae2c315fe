import type { Chat, ChatInput, ChatProgress } from '../../../src/inference/chat.ts';

export type CallKind = 'decide' | 'queries' | 'facts' | 'standalone' | 'code' | 'answer' | 'chat';

export type ScriptedCall = {
  kind: CallKind;
  prompt: string;
  schema: Schema | undefined;
  signal: AbortSignal;
};
export type Schema = { readonly [keyword: string]: unknown };

/** The model's answer; `isCut` if it had no room for the rest. A thrown failure is the engine's. */
export type Said = string | { text: string; isCut: boolean };
export type Script = (call: ScriptedCall) => Said | Promise<Said>;

export type ScriptedChat = Chat & { calls: ScriptedCall[]; tokensMax: () => number };

const CHARACTERS_PER_TOKEN = 4;
const PIECE = 24;

/** A model with the test's answers, behind the same interface as the real ones. */
export function scriptedChat(script: Script, { contextTokens = 8192 } = {}): ScriptedChat {
  const calls: ScriptedCall[] = [];
  let largest = 0;
  const tokensOf = (messages: ChatInput['messages']) =>
    Math.ceil(textOf(messages).length / CHARACTERS_PER_TOKEN);

  async function* complete(input: ChatInput, context: { client: AbortSignal }): AsyncGenerator<ChatProgress> {
    const { messages, maxTokens = 0 } = input;
    const promptTokens = tokensOf(messages);
    largest = Math.max(largest, promptTokens + maxTokens);
    const call = { ...kindOf(input), prompt: textOf(messages), signal: context.client };
    calls.push(call);
    yield { type: 'prompt', promptTokens, cachedTokens: 0 };
    const said = await script(call);
    if (context.client.aborted) return;
    const { text, isCut } = typeof said === 'string' ? { text: said, isCut: false } : said;
    let completionTokens = 0;
    for (let at = 0; at < text.length; at += PIECE) {
      completionTokens += PIECE / CHARACTERS_PER_TOKEN;
      yield { type: 'text', text: text.slice(at, at + PIECE), completionTokens };
    }
    yield { type: 'end', reason: isCut ? 'length' : 'stop', completionTokens };
  }

  return {
    complete,
    count: ({ messages }) => Promise.resolve({ promptTokens: tokensOf(messages), contextTokens }),
    check: () => undefined,
    calls,
    tokensMax: () => largest,
  };
}

function kindOf(input: ChatInput): Pick<ScriptedCall, 'kind' | 'schema'> {
  const { format } = input as { format?: { schema: Schema } };
  if (format === undefined) return { kind: proseKind(textOf(input.messages)), schema: undefined };
  const { schema } = format;
  if (schema['oneOf']) return { kind: 'decide', schema };
  const properties = schema['properties'] as Record<string, unknown>;
  const kind = 'queries' in properties ? 'queries' : 'facts' in properties ? 'facts' : 'standalone';
  return { kind, schema };
}

function proseKind(prompt: string): CallKind {
  if (prompt.includes('JavaScript program and nothing else')) return 'code';
  return prompt.includes('from the given facts alone') ? 'answer' : 'chat';
}

function textOf(messages: ChatInput['messages']): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n\n');
}
