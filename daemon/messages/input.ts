import type {
  CountTokensRequest,
  MessageBlock,
  MessagesRequest,
  TurnMessage,
} from '../../src/api/messages.ts';
import { Failure } from '../../src/errors.ts';
import type { ChatInput } from '../../src/inference/chat.ts';
import type {
  ChatMessage,
  ChatPrompt,
  ContentPart,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../src/runtime/engine.ts';
import type { ImagePart } from '../image-reader.ts';

type ReadImage = (url: string, param: string) => Promise<ImagePart>;

/** Anthropic's words on one side, our own terms on the other; nothing but translation. */
export async function toChatInput(body: MessagesRequest, readImage: ReadImage): Promise<ChatInput> {
  return {
    ...(await toPrompt(body, readImage)),
    model: body.model,
    stream: body.stream ?? false,
    maxTokens: body.max_tokens,
    stop: body.stop_sequences ?? [],
    sampling: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      ...(body.top_k !== undefined && { topK: body.top_k }),
      presencePenalty: 0,
      frequencyPenalty: 0,
    },
  };
}

export async function toPrompt(body: CountTokensRequest, readImage: ReadImage): Promise<ChatPrompt> {
  const { system, messages, tools = [], tool_choice: choice, thinking, output_config: output } = body;
  const systemText = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n');
  const turns: ChatMessage[] = systemText === '' ? [] : [{ role: 'system', content: systemText }];
  const known = new Set<string>();
  for (const [index, message] of messages.entries()) {
    turns.push(...(await toTurns(message, { param: `messages[${index}]`, known, readImage })));
  }
  refusePrefill(messages);
  const schema = output?.format?.schema;
  return {
    messages: turns,
    ...toTools(tools, choice),
    ...(schema && { format: { type: 'schema' as const, schema } }),
    reasoning: toReasoning(thinking, output?.effort),
  };
}

type ResultPart = Exclude<NonNullable<MessageBlock['content']>, string>[number];
type Reading = { param: string; known: Set<string>; readImage: ReadImage };

async function toTurns({ role, content }: TurnMessage, reading: Reading): Promise<ChatMessage[]> {
  if (typeof content === 'string') return [{ role, content }];
  if (role === 'system') return [{ role, content: toSystem(content, reading.param) }];
  return role === 'assistant' ? [toAssistant(content, reading)] : toUserTurns(content, reading);
}

function toSystem(blocks: readonly MessageBlock[], param: string): string {
  const texts = blocks.map((block, place) => {
    const at = `${param}.content[${place}]`;
    if (block.type !== 'text') throw misplaced(block.type, 'system', at);
    return required(block.text, `${at}.text`);
  });
  return texts.join('\n');
}

function toAssistant(blocks: readonly MessageBlock[], { param, known }: Reading): ChatMessage {
  let text = '';
  let reasoning = '';
  const toolCalls: ToolCall[] = [];
  for (const [place, block] of blocks.entries()) {
    const at = `${param}.content[${place}]`;
    if (block.type === 'text') text += required(block.text, `${at}.text`);
    else if (block.type === 'thinking') reasoning += required(block.thinking, `${at}.thinking`);
    else if (block.type === 'tool_use') {
      const id = required(block.id, `${at}.id`);
      known.add(id);
      const name = required(block.name, `${at}.name`);
      toolCalls.push({ id, name, arguments: JSON.stringify(block.input ?? {}) });
    } else throw misplaced(block.type, 'assistant', at);
  }
  return {
    role: 'assistant',
    content: text,
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

/** Results come before what the user says to them, each as a message of its own. */
async function toUserTurns(blocks: readonly MessageBlock[], reading: Reading): Promise<ChatMessage[]> {
  const turns: ChatMessage[] = [];
  const parts: ContentPart[] = [];
  for (const [place, block] of blocks.entries()) {
    const at = `${reading.param}.content[${place}]`;
    if (block.type === 'text') parts.push({ type: 'text', text: required(block.text, `${at}.text`) });
    else if (block.type === 'image') parts.push(await toImage(block, at, reading));
    else if (block.type === 'tool_result') {
      turns.push(toResult(block, at, reading));
      parts.push(...(await toResultImages(block, at, reading)));
    } else throw misplaced(block.type, 'user', at);
  }
  if (parts.length > 0) turns.push({ role: 'user', content: parts });
  return turns;
}

function toResult(block: MessageBlock, at: string, { known }: Reading): ChatMessage {
  const id = required(block.tool_use_id, `${at}.tool_use_id`);
  if (!known.has(id)) {
    throw new Failure('invalid_value', `No message before this one has a tool_use with the id "${id}".`, {
      param: `${at}.tool_use_id`,
    });
  }
  const { content = '', is_error: isError } = block;
  const text = typeof content === 'string' ? content : content.map(toResultText(at)).join('\n');
  return { role: 'tool', toolCallId: id, content: isError ? `Error: ${text}` : text };
}

/** Templates show models no images but in what a user says, so those of a result come right after it. */
const IMAGE_BELOW = '[image: see below]';

function toResultText(at: string) {
  return ({ type, text }: ResultPart, place: number) =>
    type === 'image' ? IMAGE_BELOW : required(text, `${at}.content[${place}].text`);
}

async function toResultImages(block: MessageBlock, at: string, reading: Reading): Promise<ContentPart[]> {
  const { content = '' } = block;
  if (typeof content === 'string') return [];
  const images: ContentPart[] = [];
  for (const [place, part] of content.entries())
    if (part.type === 'image') images.push(await toImage(part, `${at}.content[${place}]`, reading));
  return images;
}

function toImage(
  { source }: Pick<MessageBlock, 'source'>,
  at: string,
  { readImage }: Reading,
): Promise<ImagePart> {
  const { type, media_type: mime, data, url } = required(source, `${at}.source`);
  if (type === 'url') return readImage(required(url, `${at}.source.url`), `${at}.source.url`);
  const kind = required(mime, `${at}.source.media_type`);
  return readImage(`data:${kind};base64,${required(data, `${at}.source.data`)}`, `${at}.source.data`);
}

function toTools(tools: NonNullable<MessagesRequest['tools']>, choice: MessagesRequest['tool_choice']) {
  if (choice && tools.length === 0) throw invalid('tool_choice', '"tool_choice" needs "tools".');
  if (tools.length === 0) return {};
  const names = tools.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice !== -1) throw invalid(`tools[${twice}].name`, `Two tools have the name "${names[twice] ?? ''}".`);
  const definitions = tools.map(
    ({ name, description, input_schema: parameters, strict }): ToolDefinition => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(strict && { isStrict: true }),
    }),
  );
  return {
    tools: definitions,
    ...(choice && { toolChoice: toChoice(choice, names) }),
    ...(choice?.disable_parallel_tool_use && { parallelToolCalls: false }),
  };
}

function toChoice({ type, name }: NonNullable<MessagesRequest['tool_choice']>, names: string[]): ToolChoice {
  if (type === 'any') return 'required';
  if (type !== 'tool') return type;
  const wanted = required(name, 'tool_choice.name');
  if (names.includes(wanted)) return { name: wanted };
  throw invalid('tool_choice.name', `No tool has the name "${wanted}".`);
}

type Effort = NonNullable<NonNullable<MessagesRequest['output_config']>['effort']>;

/** Without a word about it there are no thoughts, as in the API that this is the shape of. */
function toReasoning(
  thinking: MessagesRequest['thinking'],
  effort: Effort = 'high',
): ChatPrompt['reasoning'] & object {
  if (thinking?.type === 'adaptive') return { effort: effort === 'max' ? 'xhigh' : effort };
  if (thinking?.type !== 'enabled') return { effort: 'none' };
  return { effort: 'medium', maxTokens: required(thinking.budget_tokens, 'thinking.budget_tokens') };
}

/** Going on with an answer that the client began would need another kind of prompt. */
function refusePrefill(messages: readonly TurnMessage[]): void {
  if (messages.at(-1)?.role !== 'assistant') return;
  throw new Failure(
    'unsupported_parameter',
    'The last message must be of the role user: an answer that was begun cannot be gone on with here.',
    { param: `messages[${messages.length - 1}].role` },
  );
}

function required<Value>(value: Value | undefined, param: string): Value {
  if (value !== undefined) return value;
  throw new Failure('missing_required_parameter', `The parameter "${param}" is required.`, { param });
}

function misplaced(type: string, role: string, param: string): Failure {
  return invalid(`${param}.type`, `A message of the role ${role} has no blocks of the type ${type}.`);
}

function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}
