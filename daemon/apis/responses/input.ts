import type { InputItem, InputPart } from '../../../src/api/chat/response-input.ts';
import type { InputTokensRequest, ResponseRequest } from '../../../src/api/chat/responses.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { ChatInput } from '../../../src/inference/chat.ts';
import type {
  AnswerFormat,
  ChatMessage,
  ChatPrompt,
  ContentPart,
  ToolCall,
} from '../../../src/runtime/engine.ts';
import type { ImagePart } from '../../attachments/image-reader.ts';
import { customArguments } from '../chat/custom-tools.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import { invalid, required } from '../../http/required.ts';
import { fileText } from './files.ts';
import { unsealThoughts } from './thoughts.ts';
import { modelName, toTools, type ClientTools } from './tools.ts';
import { modelToolName } from '../../../src/agent/mcp/tool-names.ts';
import type { HostedTools } from '../hosted/hosted-tool.ts';
import { forModel } from '../hosted/mcp.ts';

type ReadImage = (url: string, param: string) => Promise<ImagePart>;
export type Reading = {
  readImage: ReadImage;
  readDocument: (url: string, param: string) => Promise<string>;
  leaveOut: LeaveOut;
  hosted?: HostedTools | undefined;
};

/** A prompt in our own types, and the client's names for its tools. */
export type ReadPrompt = { prompt: ChatPrompt; clientTools: ClientTools };

/** Translates the items of the Responses API to our own types, and does nothing else. */
export async function toChatInput(
  body: ResponseRequest,
  reading: Reading,
): Promise<{ input: ChatInput; clientTools: ClientTools }> {
  const { max_output_tokens: maxTokens, include = [], top_logprobs: top } = body;
  const { prompt, clientTools } = await toPrompt(body, reading);
  const wantsLogprobs = top !== undefined || include.includes('message.output_text.logprobs');
  nameUnmet(include, reading.leaveOut);
  const input: ChatInput = {
    ...prompt,
    model: body.model,
    stream: body.stream ?? false,
    ...(maxTokens !== undefined && { maxTokens }),
    stop: [],
    sampling: {
      ...(body.temperature !== undefined && { temperature: body.temperature }),
      ...(body.top_p !== undefined && { topP: body.top_p }),
    },
    ...(wantsLogprobs && { logprobs: { top: top ?? 0 } }),
  };
  return { input, clientTools };
}

const INCLUDED = [
  ...['reasoning.encrypted_content', 'message.output_text.logprobs'],
  'file_search_call.results',
];

/** Reports requested extras that do not exist here. */
function nameUnmet(include: readonly string[], leave: LeaveOut): void {
  for (const one of include) if (!INCLUDED.includes(one)) leave(`include[${one}]`, 'include');
}

export async function toPrompt(body: InputTokensRequest, reading: Reading): Promise<ReadPrompt> {
  const { instructions, input, reasoning } = body;
  const format = toFormat(body.text?.format);
  const messages: ChatMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : await toMessages(input, reading);
  const { prompt, clientTools } = toTools(body, reading);
  return {
    clientTools,
    prompt: {
      messages: [...(instructions ? [{ role: 'system' as const, content: instructions }] : []), ...messages],
      ...prompt,
      ...(endsInAnswer(input) && { continues: true }),
      ...(format && { format }),
      ...(reasoning?.effort && { reasoning: { effort: reasoning.effort } }),
    },
  };
}

/** A final assistant message is continued. */
function endsInAnswer(input: InputTokensRequest['input']): boolean {
  const last = typeof input === 'string' ? undefined : input.at(-1);
  return last?.role === 'assistant' && isMessage(last);
}

function isMessage({ type = 'message' }: InputItem): boolean {
  return type === 'message';
}

type Answer = { content: string; reasoning: string; calls: ToolCall[] };

/** There, reasoning and calls are separate items; here, they are parts of one assistant message. */
async function toMessages(items: readonly InputItem[], reading: Reading): Promise<ChatMessage[]> {
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
    if (type === 'reasoning') current().reasoning += thoughtsOf(item, param);
    else if (type === 'function_call' || type === 'custom_tool_call') {
      const call = toCall(item, param);
      known.add(call.id);
      current().calls.push(call);
    } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      close();
      messages.push(...(await toResult(item, { known, param, reading })));
    } else if (type === 'mcp_call') {
      const { call, result } = pastCall(item, param);
      current().calls.push(call);
      close();
      messages.push(result);
    } else if (type !== 'message') leaveOutItem(type, param, reading.leaveOut);
    else if (item.role === 'assistant') {
      if (answer?.content) close();
      current().content += textOf(required(item.content, `${param}.content`), `${param}.content`);
    } else {
      close();
      messages.push(await toTurn(item, param, reading));
    }
  }
  close();
  return messages;
}

/** A call that ran here, as the model saw it. */
function pastCall(item: InputItem, param: string): { call: ToolCall; result: ChatMessage } {
  const { id = param, server_label: label = '', output, error } = item;
  const name = modelToolName(label, required(item.name, `${param}.name`));
  const text = typeof output === 'string' ? output : typeof error === 'string' ? error : '';
  return {
    call: { id, name, arguments: item.arguments ?? '{}' },
    result: { role: 'tool', toolCallId: id, content: forModel(text, typeof output === 'string') },
  };
}

/** Approved or denied calls are handled before the model is asked. */
const APPROVALS = ['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response'];

/** What a provider did beside the conversation; its findings are in its messages. */
const BESIDE = [
  ...['web_search_call', 'file_search_call', 'image_generation_call'],
  ...['tool_search_call', 'tool_search_output'],
];

function leaveOutItem(type: string, param: string, leave: LeaveOut): void {
  if (APPROVALS.includes(type)) return;
  if (BESIDE.includes(type)) return leave(`input[${type}]`, `${param}.type`);
  throw new Failure(
    'unsupported_parameter',
    `An item of the type "${type}" is not supported. Send its content as a message, or as the function_call_output of a function_call.`,
    { param: `${param}.type` },
  );
}

function toAssistant({ content, reasoning, calls }: Answer): ChatMessage {
  return {
    role: 'assistant',
    content,
    ...(reasoning && { reasoning }),
    ...(calls.length > 0 && { toolCalls: calls }),
  };
}

function thoughtsOf({ content, summary = [], encrypted_content: sealed }: InputItem, param: string): string {
  const text = textOf(content ?? [], `${param}.content`);
  return text || unsealThoughts(sealed) || textOf(summary, `${param}.summary`);
}

async function toTurn(
  { role, content }: InputItem,
  param: string,
  { readImage, readDocument }: Reading,
): Promise<ChatMessage> {
  const who = required(role, `${param}.role`) === 'user' ? 'user' : 'system';
  const value = required(content, `${param}.content`);
  if (typeof value === 'string') return { role: who, content: value };
  if (who === 'system') return { role: who, content: textOf(value, `${param}.content`) };
  const parts: ContentPart[] = [];
  for (const [place, part] of value.entries()) {
    const at = `${param}.content[${place}]`;
    if (part.type === 'input_image') parts.push(await imageOf(part, at, readImage));
    else if (part.type === 'input_file')
      parts.push({ type: 'text', text: await fileText(part, at, readDocument) });
    else parts.push({ type: 'text', text: partText(part, at) });
  }
  return { role: who, content: parts };
}

function imageOf({ image_url: url }: InputPart, at: string, readImage: ReadImage): Promise<ImagePart> {
  return readImage(required(url, `${at}.image_url`), `${at}.image_url`);
}

function toCall(item: InputItem, param: string): ToolCall {
  const { call_id: id, name, namespace } = item;
  const client = { name: required(name, `${param}.name`), ...(namespace && { namespace }) };
  const text =
    item.type === 'custom_tool_call'
      ? customArguments(required(item.input, `${param}.input`))
      : required(item.arguments, `${param}.arguments`);
  return { id: required(id, `${param}.call_id`), name: modelName(client), arguments: text };
}

type Result = { known: ReadonlySet<string>; param: string; reading: Reading };

/** Chat templates show images only in user messages, so images of a result follow right after it. */
const IMAGE_BELOW = '[image: see below]';

async function toResult(
  { call_id: id, output }: InputItem,
  { known, param, reading }: Result,
): Promise<ChatMessage[]> {
  const toolCallId = required(id, `${param}.call_id`);
  if (!known.has(toolCallId))
    throw invalid(`${param}.call_id`, `No earlier call has the call_id "${toolCallId}".`);
  const given = required(output, `${param}.output`);
  if (typeof given === 'string') return [{ role: 'tool', toolCallId, content: given }];
  const texts: string[] = [];
  const images: ContentPart[] = [];
  for (const [place, part] of given.entries()) {
    const at = `${param}.output[${place}]`;
    const isImage = part.type === 'input_image';
    if (isImage) images.push(await imageOf(part, at, reading.readImage));
    if (isImage) texts.push(IMAGE_BELOW);
    else if (part.type === 'input_file') texts.push(await fileText(part, at, reading.readDocument));
    else texts.push(partText(part, at));
  }
  const result: ChatMessage = { role: 'tool', toolCallId, content: texts.join('\n') };
  return images.length === 0 ? [result] : [result, { role: 'user', content: images }];
}

function textOf(content: string | readonly InputPart[], param: string): string {
  if (typeof content === 'string') return content;
  return content.map((part, place) => partText(part, `${param}[${place}]`)).join('\n');
}

function partText(part: InputPart, at: string): string {
  if (part.type === 'refusal') return required(part.refusal, `${at}.refusal`);
  if (part.type === 'input_image' || part.type === 'input_file')
    throw invalid(at, 'Only messages with the role user may have images and files.');
  return required(part.text, `${at}.text`);
}

function toFormat(format: NonNullable<ResponseRequest['text']>['format']): AnswerFormat | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  return { type: 'schema', schema: required(format.schema, 'text.format.schema') };
}
