import type { ChatAbilities, ChatPrompt } from '../../../../src/runtime/engine.ts';
import { createChatTemplate, type ChatTemplate } from './chat-template.ts';

export type TemplateSources = {
  /** The file's metadata under `tokenizer`. */
  tokenizer: Readonly<Record<string, unknown>> | undefined;
  bosToken: string;
  eosToken: string;
};

export type ChatTemplates = { forPrompt(prompt: ChatPrompt): ChatTemplate; abilities: ChatAbilities };

/** A file may have a separate template for chats with tools. */
export function createChatTemplates({ tokenizer = {}, ...tokens }: TemplateSources): ChatTemplates {
  const usualSource = textAt(tokenizer, 'chat_template');
  const toolSource = textAt(tokenizer, 'chat_template.tool_use');
  const usual = createChatTemplate({ source: usualSource ?? toolSource, ...tokens });
  const isTwo = usualSource !== undefined && toolSource !== undefined;
  const withTools = isTwo ? createChatTemplate({ source: toolSource, ...tokens }) : usual;
  return {
    forPrompt: (prompt) => (hasTools(prompt) ? withTools : usual),
    abilities: { tools: withTools.tools, thinks: usual.thinking !== undefined },
  };
}

function hasTools({ messages, tools = [], toolChoice }: ChatPrompt): boolean {
  const isOffered = tools.length > 0 && toolChoice !== 'none';
  return isOffered || messages.some((message) => message.role === 'tool');
}

function textAt(tokenizer: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = tokenizer[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
