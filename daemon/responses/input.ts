import type { InputItem, InputPart, InputTokensRequest, ResponseRequest } from '../../src/api/responses.ts';
import { Failure } from '../../src/errors.ts';
import type { ChatInput } from '../../src/inference/chat.ts';
import type {
  AnswerFormat,
  ChatMessage,
  ChatPrompt,
  ContentPart,
  ToolCall,
  ToolChoice,
} from '../../src/runtime/engine.ts';
import type { ImagePart } from '../image-reader.ts';

type ReadImage = (url: string, param: string) => Promise<ImagePart>;

/** The items of the Responses API on one side, our own terms on the other; nothing but translation. */
export async function toChatInput(body: ResponseRequest, readImage: ReadImage): Promise<ChatInput> {
  const { max_output_tokens: maxTokens } = body;
  return {
    ...(await toPrompt(body, readImage)),
    model: body.model,
    stream: body.stream ?? false,
    ...(maxTokens !== undefined && { maxTokens }),
    stop: [],
    sampling: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
    },
  };
}

export async function toPrompt(body: InputTokensRequest, readImage: ReadImage): Promise<ChatPrompt> {
  const { instructions, input, reasoning } = body;
  const format = toFormat(body.text?.format);
  const said: ChatMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : await toMessages(input, readImage);
  return {
    messages: [...(instructions ? [{ role: 'system' as const, content: instructions }] : []), ...said],
    ...toTools(body),
    ...(format && { format }),
    ...(reasoning?.effort && { reasoning: { effort: reasoning.effort } }),
  };
}

/** Thoughts and calls are items of their own there; here they belong to one message of the assistant. */
async function toMessages(items: readonly InputItem[], readImage: ReadImage): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  const known = new Set<string>();
  let answer: Answer | undefined;
  const current = () => (answer ??= { content: '', reasoning: '', calls: [] });
  const close = () => {
    if (answer) messages.push(toAssistant(answer));
    answer = undefined;
  };
  for (const [index, item] of items.entries()) {
    const param = `input[${index}]`;
    const { type = 'message' } = item;
    if (type === 'reasoning') current().reasoning += textOf(item.content ?? [], param);
    else if (type === 'function_call') {
      const call = toCall(item, param);
      known.add(call.id);
      current().calls.push(call);
    } else if (type === 'function_call_output') {
      close();
      messages.push(toResult(item, known, param));
    } else if (item.role === 'assistant') {
      if (answer?.content) close();
      current().content += textOf(required(item.content, `${param}.content`), param);
    } else {
      close();
      messages.push(await toTurn(item, param, readImage));
    }
  }
  close();
  return messages;
}

type Answer = { content: string; reasoning: string; calls: ToolCall[] };

function toAssistant({ content, reasoning, calls }: Answer): ChatMessage {
  return {
    role: 'assistant',
    content,
    ...(reasoning && { reasoning }),
    ...(calls.length > 0 && { toolCalls: calls }),
  };
}

async function toTurn(
  { role, content }: InputItem,
  param: string,
  readImage: ReadImage,
): Promise<ChatMessage> {
  const who = required(role, `${param}.role`) === 'user' ? 'user' : 'system';
  const said = required(content, `${param}.content`);
  if (typeof said === 'string') return { role: who, content: said };
  if (who === 'system') return { role: who, content: textOf(said, param) };
  const parts: ContentPart[] = [];
  for (const [place, part] of said.entries()) {
    const at = `${param}.content[${place}]`;
    if (part.type === 'input_image') {
      const url = required(part.image_url, `${at}.image_url`);
      parts.push(await readImage(url, `${at}.image_url`));
    } else parts.push({ type: 'text', text: required(part.text, `${at}.text`) });
  }
  return { role: who, content: parts };
}

function toCall({ call_id: id, name, arguments: text }: InputItem, param: string): ToolCall {
  return {
    id: required(id, `${param}.call_id`),
    name: required(name, `${param}.name`),
    arguments: required(text, `${param}.arguments`),
  };
}

function toResult(
  { call_id: id, output }: InputItem,
  known: ReadonlySet<string>,
  param: string,
): ChatMessage {
  const toolCallId = required(id, `${param}.call_id`);
  if (known.has(toolCallId)) {
    return { role: 'tool', toolCallId, content: required(output, `${param}.output`) };
  }
  throw invalid(`${param}.call_id`, `No function_call before this one has the call_id "${toolCallId}".`);
}

function textOf(content: string | readonly InputPart[], param: string): string {
  if (typeof content === 'string') return content;
  return content.map(({ text }, place) => required(text, `${param}.content[${place}].text`)).join('\n');
}

function toTools({ tools = [], tool_choice: choice, parallel_tool_calls: parallel }: InputTokensRequest) {
  const names = tools.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice !== -1) throw invalid(`tools[${twice}].name`, `Two tools have the name "${names[twice] ?? ''}".`);
  if (tools.length === 0) {
    if (choice === undefined || choice === 'auto' || choice === 'none') return {};
    throw invalid('tool_choice', '"tool_choice" needs "tools".');
  }
  return {
    tools: tools.map(({ name, description, parameters, strict }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
      ...(strict && { isStrict: true }),
    })),
    ...(choice !== undefined && { toolChoice: toChoice(choice, names) }),
    ...(parallel !== undefined && { parallelToolCalls: parallel }),
  };
}

function toChoice(choice: NonNullable<ResponseRequest['tool_choice']>, names: readonly string[]): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (names.includes(choice.name)) return { name: choice.name };
  throw invalid('tool_choice.name', `No tool has the name "${choice.name}".`);
}

function toFormat(format: NonNullable<ResponseRequest['text']>['format']): AnswerFormat | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  return { type: 'schema', schema: required(format.schema, 'text.format.schema') };
}

function required<Value>(value: Value | undefined, param: string): Value {
  if (value !== undefined) return value;
  throw new Failure('missing_required_parameter', `The parameter "${param}" is required.`, { param });
}

function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}
