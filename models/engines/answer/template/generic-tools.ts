import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { GENERIC_CALLS, type CallFormat } from '../calls/call-format.ts';
import { ID_MARK, INDEX_MARK, withName } from '../calls/call-text.ts';
import type { Shown } from '../calls/derive-calls.ts';
import type { TemplateCall, TemplateInput, TemplateMessage } from './template-messages.ts';

/** For a template that does not know tools at all. */
export const NOTHING: Shown = { tools: false, calls: false, results: false };

type Options = { shown: Shown; format: CallFormat; takesSystem: boolean };

/** Adds the tools, calls and results that the template omits, as text in a format that models are widely trained on. */
export function createSupplement({ shown, format, takesSystem }: Options) {
  if (shown.tools && shown.calls && shown.results) return (input: TemplateInput) => input;
  return ({ messages, tools = [], ...rest }: TemplateInput): TemplateInput => {
    const written = messages.map((message) => {
      if (message.role === 'tool') return shown.results ? message : resultAsText(message);
      return shown.calls ? message : callsAsText(message, format);
    });
    const turns = shown.results ? written : joinUserTurns(written);
    if (shown.tools || tools.length === 0) return { ...rest, messages: turns, tools };
    return { ...rest, messages: withTools(turns, describeTools(tools, format), takesSystem), tools: [] };
  };
}

function withTools(messages: TemplateMessage[], block: string, takesSystem: boolean): TemplateMessage[] {
  const [first, ...rest] = messages;
  const goesFirst = first && (first.role === 'system' || (first.role === 'user' && !takesSystem));
  if (!goesFirst) return [{ role: takesSystem ? 'system' : 'user', content: block }, ...messages];
  const content = first.role === 'system' ? `${first.content}\n\n${block}` : `${block}\n\n${first.content}`;
  return [{ ...first, content }, ...rest];
}

export function describeTools(tools: readonly ToolDefinition[], format: CallFormat = GENERIC_CALLS): string {
  const list = tools.map((tool) => JSON.stringify({ type: 'function', function: toFunction(tool) }));
  return (
    '# Tools\n\nYou may call one or more functions to help with what the user asks. These are their signatures:\n' +
    `<tools>\n${list.join('\n')}\n</tools>\n\n${howToCall(format)}`
  );
}

function howToCall(format: CallFormat): string {
  if (format === GENERIC_CALLS) {
    return (
      'To call a function, answer with a JSON object of its name and its arguments between tags, and nothing after it:\n' +
      '<tool_call>\n{"name": <function-name>, "arguments": <arguments-as-JSON-object>}\n</tool_call>'
    );
  }
  const example = around(format, '<function-name>', '<arguments-as-JSON-object>') + format.after;
  return `To call a function, answer in this form, and write nothing after it:\n${example.trimStart()}`;
}

export function toFunction({ name, description, parameters }: ToolDefinition) {
  return { name, ...(description !== undefined && { description }), parameters };
}

/** The calls of one answer, as the model would have written them. */
export function writeCalls(calls: readonly TemplateCall[], format: CallFormat): string {
  const { between, after, notation } = format;
  const bodies = calls.map(({ function: { name, arguments: args } }, index) => {
    const written = notation ? notation.write(args) : JSON.stringify(args);
    const prefix = index === 0 || between === undefined ? format.before : between;
    return around({ ...format, before: prefix }, name, written, index);
  });
  const joined = between === undefined ? bodies.join(`${after}\n`) : bodies.join('');
  return (joined + after).trimStart();
}

function around({ before, middle }: CallFormat, name: string, args: string, index = 0): string {
  return (before + name + withName(middle, name))
    .replaceAll(INDEX_MARK, String(index))
    .replaceAll(ID_MARK, String(index).padStart(9, '0'))
    .concat(args);
}

function callsAsText(message: TemplateMessage, format: CallFormat): TemplateMessage {
  const { tool_calls: calls, ...rest } = message;
  if (!calls) return message;
  return { ...rest, content: [message.content, writeCalls(calls, format)].filter(Boolean).join('\n') };
}

function resultAsText({ content }: TemplateMessage): TemplateMessage {
  return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
}

/** Many templates require user and assistant to alternate, and tool results are user turns here. */
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
