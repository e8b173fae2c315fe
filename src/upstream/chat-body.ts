import { Failure } from '../base/errors.ts';
import type {
  AnswerFormat,
  ChatMessage,
  ChatRequest,
  ContentPart,
  Reasoning,
  ToolChoice,
  ToolDefinition,
} from '../runtime/engine.ts';

/** The request in OpenAI's format. What that cannot express is rejected, not dropped. */
export function toBody(model: string, request: ChatRequest) {
  if (request.showPrompt) throw unsupported('The rendered prompt is');
  const { askedTokens, stop, sampling, seed } = { ...request, seed: request.sampling.seed };
  return {
    model,
    messages: request.messages.map(toMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(askedTokens !== undefined && { max_tokens: askedTokens }),
    ...(stop.length > 0 && { stop }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    ...(sampling.topK !== undefined && { top_k: sampling.topK }),
    ...toLocalSampling(sampling),
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    ...(seed !== undefined && { seed }),
    ...(request.choices !== undefined && request.choices !== 1 && { n: request.choices }),
    ...(request.logprobs && { logprobs: true, top_logprobs: request.logprobs.top }),
    ...(request.logitBias && { logit_bias: request.logitBias }),
    ...(request.reasoning && toReasoning(request.reasoning)),
    ...(request.templateArguments && { chat_template_kwargs: request.templateArguments }),
    ...(request.format && { response_format: toFormat(request.format) }),
    ...toTools(request),
  };
}

/** Extensions that servers of local models support. */
function toLocalSampling({ minP, typicalP, repeatPenalty, repeatLastTokens }: ChatRequest['sampling']) {
  return {
    ...(minP !== undefined && { min_p: minP }),
    ...(typicalP !== undefined && { typical_p: typicalP }),
    ...(repeatPenalty !== undefined && { repeat_penalty: repeatPenalty }),
    ...(repeatLastTokens !== undefined && { repeat_last_n: repeatLastTokens }),
  };
}

function toMessage(message: ChatMessage) {
  const { role, content } = message;
  if (role === 'tool') return { role, tool_call_id: message.toolCallId, content };
  const named = message.name === undefined ? {} : { name: message.name };
  if (role !== 'assistant')
    return { role, content: typeof content === 'string' ? content : content.map(toPart), ...named };
  const { reasoning, toolCalls = [] } = message;
  return {
    role,
    content: content === '' && toolCalls.length > 0 ? null : content,
    ...named,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
  };
}

function toPart(part: ContentPart) {
  if (part.type === 'text') return part;
  return { type: 'image_url', image_url: { url: `data:${part.mime};base64,${part.data}` } };
}

function toTools({ tools = [], toolChoice, parallelToolCalls }: ChatRequest) {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ isStrict, ...tool }: ToolDefinition) => ({
      type: 'function',
      function: { ...tool, ...(isStrict && { strict: true }) },
    })),
    ...(toolChoice !== undefined && { tool_choice: toChoice(toolChoice) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

function toChoice(choice: ToolChoice) {
  return typeof choice === 'string' ? choice : { type: 'function', function: choice };
}

function toFormat(format: AnswerFormat) {
  if (format.type === 'json') return { type: 'json_object' };
  if (format.type === 'grammar') throw unsupported('A grammar is');
  return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: format.schema } };
}

function toReasoning({ effort, maxTokens }: Reasoning) {
  if (maxTokens !== undefined) throw unsupported('A reasoning budget is');
  return { reasoning_effort: effort };
}

function unsupported(what: string): Failure {
  return new Failure(
    'unsupported_parameter',
    `${what} not available from the upstream server that runs this model.`,
  );
}
