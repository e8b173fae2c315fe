import type { ChatCompletionRequest } from '../src/api/chat.ts';
import type { Tool } from '../src/api/chat-tools.ts';
import { Failure } from '../src/errors.ts';
import type { ChatInput } from '../src/inference/chat.ts';
import type { AnswerFormat, JsonSchema, ToolChoice, ToolDefinition } from '../src/runtime/engine.ts';
import { toMessages, type Images } from './chat-messages.ts';

/** The widely used chat-completion convention on one side, our own terms on the other; nothing but translation. */
export function toChatInput(body: ChatCompletionRequest, images: Images): ChatInput {
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  const format = toFormat(body.response_format);
  return {
    model: body.model,
    messages: toMessages(body.messages, images),
    stream: body.stream ?? false,
    ...(maxTokens !== undefined && { maxTokens }),
    stop: body.stop === undefined ? [] : [body.stop].flat(),
    sampling: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      ...(body.top_k !== undefined && { topK: body.top_k }),
      presencePenalty: body.presence_penalty ?? 0,
      frequencyPenalty: body.frequency_penalty ?? 0,
      ...(body.seed !== undefined && { seed: body.seed }),
    },
    ...toTools(body),
    ...(format && { format }),
    ...(body.n !== undefined && body.n > 1 && { choices: body.n }),
    ...(body.logprobs && { logprobs: { top: body.top_logprobs ?? 0 } }),
    ...(body.logit_bias && Object.keys(body.logit_bias).length > 0 && { logitBias: body.logit_bias }),
    ...(body.reasoning_effort && { reasoning: { effort: body.reasoning_effort } }),
  };
}

/** What the schema of a single field cannot say. */
export function checkChatRequest(body: ChatCompletionRequest): void {
  if (body.stream_options && !body.stream) {
    throw invalid('stream_options', '"stream_options" needs "stream": true.');
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    throw invalid('max_tokens', 'Give "max_tokens" or "max_completion_tokens", not both.');
  }
  if (body.top_logprobs !== undefined && !body.logprobs) {
    throw invalid('top_logprobs', '"top_logprobs" needs "logprobs": true.');
  }
  checkFormat(body);
  checkTools(body);
}

function checkFormat({ response_format: format }: ChatCompletionRequest): void {
  if (format?.schema !== undefined && format.type !== 'json_object')
    throw invalid('response_format.schema', '"schema" needs "type": "json_object".');
  if (!format || (format.type === 'json_schema') === (format.json_schema !== undefined)) return;
  if (format.json_schema)
    throw invalid('response_format.json_schema', '"json_schema" needs "type": "json_schema".');
  throw new Failure('missing_required_parameter', '"response_format.json_schema" is missing.', {
    param: 'response_format.json_schema',
  });
}

function checkTools({ tools = [], tool_choice: choice }: ChatCompletionRequest): void {
  const names = tools.map((tool) => tool.function.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice !== -1)
    throw invalid(`tools[${twice}].function.name`, `Two tools have the name "${names[twice]}".`);
  if (choice === undefined || choice === 'none' || choice === 'auto') return;
  if (tools.length === 0) throw invalid('tool_choice', '"tool_choice" needs "tools".');
  if (typeof choice === 'string') return;
  for (const [param, name] of namesIn(choice))
    if (!names.includes(name)) throw invalid(param, `No tool has the name "${name}".`);
}

type Choice = Exclude<NonNullable<ChatCompletionRequest['tool_choice']>, string>;

/** The tools that a choice speaks of, with where it does. */
function namesIn({ type, function: named, allowed_tools: allowed }: Choice): [string, string][] {
  const wanted = type === 'function' ? 'function' : 'allowed_tools';
  const other = type === 'function' ? allowed : named;
  if (other) throw invalid('tool_choice', `A tool_choice of the type "${type}" has nothing but "${wanted}".`);
  if (type === 'function' && named) return [['tool_choice.function.name', named.name]];
  if (type === 'allowed_tools' && allowed) {
    return allowed.tools.map((tool, place) => [
      `tool_choice.allowed_tools.tools[${place}].function.name`,
      tool.function.name,
    ]);
  }
  throw new Failure('missing_required_parameter', `"tool_choice.${wanted}" is missing.`, {
    param: `tool_choice.${wanted}`,
  });
}

function toFormat(format: ChatCompletionRequest['response_format']): AnswerFormat | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object' && format.schema === undefined) return { type: 'json' };
  return { type: 'schema', schema: (format.schema ?? format.json_schema?.schema) as JsonSchema };
}

function toTools({ tools = [], tool_choice: choice, parallel_tool_calls: parallel }: ChatCompletionRequest) {
  if (tools.length === 0) return {};
  const allowed =
    typeof choice === 'object' ? choice.allowed_tools?.tools.map((tool) => tool.function.name) : undefined;
  return {
    tools: tools.filter((tool) => allowed?.includes(tool.function.name) ?? true).map(toTool),
    ...(choice !== undefined && { toolChoice: toChoice(choice) }),
    ...(parallel !== undefined && { parallelToolCalls: parallel }),
  };
}

function toTool({ function: { name, description, parameters, strict } }: Tool): ToolDefinition {
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict && { isStrict: true }),
  };
}

function toChoice(choice: NonNullable<ChatCompletionRequest['tool_choice']>): ToolChoice {
  if (typeof choice === 'string') return choice;
  return choice.allowed_tools?.mode ?? { name: choice.function?.name ?? '' };
}

function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}
