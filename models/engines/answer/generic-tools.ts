import type { ToolDefinition } from '../../../src/runtime/engine.ts';
import type { TemplateCall, TemplateMessage } from './template-messages.ts';

/** For templates that know no tools: the tools, the calls and their results as texts that models are widely trained on. */
export function writeToolsAsText(
  messages: readonly TemplateMessage[],
  tools: readonly ToolDefinition[],
  takesSystem: boolean,
): TemplateMessage[] {
  const written = joinUserTurns(messages.map(writeCalls));
  if (tools.length === 0) return written;
  const [first, ...rest] = written;
  const goesFirst = first && (first.role === 'system' || (first.role === 'user' && !takesSystem));
  const block = describeTools(tools);
  if (!goesFirst) return [{ role: takesSystem ? 'system' : 'user', content: block }, ...written];
  const content = first.role === 'system' ? `${first.content}\n\n${block}` : `${block}\n\n${first.content}`;
  return [{ ...first, content }, ...rest];
}

export function describeTools(tools: readonly ToolDefinition[]): string {
  const list = tools.map((tool) => JSON.stringify({ type: 'function', function: toFunction(tool) }));
  return (
    '# Tools\n\nYou may call one or more functions to help with what the user asks. These are their signatures:\n' +
    `<tools>\n${list.join('\n')}\n</tools>\n\n` +
    'To call a function, answer with a JSON object of its name and its arguments between tags, and nothing after it:\n' +
    '<tool_call>\n{"name": <function-name>, "arguments": <arguments-as-JSON-object>}\n</tool_call>'
  );
}

export function toFunction({ name, description, parameters }: ToolDefinition) {
  return { name, ...(description !== undefined && { description }), parameters };
}

export function writeCall({ function: { name, arguments: args } }: TemplateCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(args)}}\n</tool_call>`;
}

function writeCalls(message: TemplateMessage): TemplateMessage {
  const { role, content, tool_calls: calls, reasoning_content: reasoning } = message;
  if (role === 'tool') {
    return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
  }
  if (!calls) return message;
  const text = [content, ...calls.map(writeCall)].filter(Boolean).join('\n');
  return { role, content: text, ...(reasoning !== undefined && { reasoning_content: reasoning }) };
}

/** Many templates want user and assistant to take turns, and results of tools are users' turns here. */
function joinUserTurns(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const joined: TemplateMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isResult = (one: TemplateMessage) => one.content.startsWith('<tool_response>\n');
    if (last?.role === 'user' && message.role === 'user' && (isResult(last) || isResult(message))) {
      joined[joined.length - 1] = { role: 'user', content: `${last.content}\n${message.content}` };
    } else joined.push(message);
  }
  return joined;
}
