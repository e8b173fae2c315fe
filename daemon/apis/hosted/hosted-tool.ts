import type { OutputItem } from '../../../src/api/chat/responses.ts';
import type { ChatMessage, ToolDefinition } from '../../../src/runtime/engine.ts';

/** What a tool that runs here does in a response: an item is added, reports progress, and is done. */
export type HostedEvent = {
  type: 'hosted';
  step: 'added' | 'progress' | 'done';
  item: OutputItem;
  /** The event of the Responses API that reports the progress. */
  name?: string;
  fields?: { delta?: string; arguments?: string };
};

export type HostedCall = {
  id: string;
  name: string;
  /** The text of a JSON object, as the model wrote it. */
  arguments: string;
  /** For the id of its item, after the prefix of its kind. */
  suffix: string;
};

/** What the model reads. Without it the response ends, because the client must provide something. */
export type HostedResult = string | undefined;

/** A tool that runs here and not in the client. */
export type HostedTool = {
  /** Its name in "tool_choice". */
  type: string;
  /** The MCP server that has it, under the client's name for it. */
  server?: string;
  /** Its server's name for it. */
  name?: string;
  definition: ToolDefinition;
  run: (call: HostedCall) => AsyncGenerator<HostedEvent, HostedResult>;
};

/** The tools of one response that run here, by the names that the model uses. */
export type HostedTools = {
  tools: ReadonlyMap<string, HostedTool>;
  /** Runs before the model is asked; returns what is added to the conversation. */
  begin: () => AsyncGenerator<HostedEvent, ChatMessage[]>;
  /** The citations of a text, as annotations. */
  annotate: (text: string) => readonly object[];
};

export const added = (item: OutputItem): HostedEvent => ({ type: 'hosted', step: 'added', item });
export const done = (item: OutputItem): HostedEvent => ({ type: 'hosted', step: 'done', item });

export function progress(
  name: string,
  item: OutputItem,
  fields?: NonNullable<HostedEvent['fields']>,
): HostedEvent {
  return { type: 'hosted', step: 'progress', item, name, ...(fields && { fields }) };
}
