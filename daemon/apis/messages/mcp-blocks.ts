import type { AnswerBlock } from '../../../src/api/chat/messages.ts';
import type { HostedEvent } from '../hosted/hosted-tool.ts';

type Change = {
  /** The block that the event belongs to; it is started if it is not open. */
  block?: AnswerBlock;
  /** A part of the input. */
  json?: string;
  /** Whether the block ends. */
  isWhole?: boolean;
};

/** What an event of a call that runs here does to the message: the call becomes a block, followed by its result. */
export function toChange({ step, item, fields = {} }: HostedEvent): Change {
  const id = item.id.replace(/^mcp_/, 'mcptoolu_');
  const { name = '', server_label: label = '', output, error } = item;
  if (step === 'added') return { block: { type: 'mcp_tool_use', id, name, server_name: label, input: {} } };
  if (step === 'progress')
    return {
      ...(isObject(fields.delta) && { json: fields.delta }),
      isWhole: fields.arguments !== undefined,
    };
  const content = [{ type: 'text' as const, text: error ?? output ?? '' }];
  const isError = typeof error === 'string';
  return {
    block: { type: 'mcp_tool_result', tool_use_id: id, is_error: isError, content },
    isWhole: true,
  };
}

/** Clients parse the input of a block. If it is not an object, the result says so. */
function isObject(text: string | undefined): text is string {
  if (text === undefined) return false;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
