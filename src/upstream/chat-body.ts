import type {
  AnswerFormat,
  ChatMessage,
  ChatRequest,
  ToolChoice,
  ToolDefinition,
} from '../runtime/engine.ts';

/** A request in the convention that the other servers speak. Everything that was asked for is passed on. */
export function toChatBody(model: string, request: ChatRequest) {
  const { messages, tools = [], toolChoice, parallelToolCalls, format, reasoning, sampling } = request;
  const { askedTokens, stop, choices, logprobs, logitBias } = request;
  return {
    model,
    messages: messages.map(toWireMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(askedTokens !== undefined && { max_tokens: askedTokens }),
    ...(stop.length > 0 && { stop }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    ...(sampling.seed !== undefined && { seed: sampling.seed }),
    ...(tools.length > 0 && { tools: tools.map(toWireTool) }),
    ...(toolChoice !== undefined && { tool_choice: toWireChoice(toolChoice) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    ...(format && { response_format: toWireFormat(format) }),
    ...(reasoning && { reasoning_effort: reasoning.effort }),
    ...(choices !== undefined && { n: choices }),
    ...(logprobs && { logprobs: true, top_logprobs: logprobs.top }),
    ...(logitBias && { logit_bias: logitBias }),
  };
}

function toWireMessage(message: ChatMessage) {
  if (message.role === 'tool') {
    return { role: message.role, tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role === 'assistant') {
    const { role, content, reasoning, toolCalls = [] } = message;
    const calls = toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    return {
      role,
      content: content === '' && calls.length > 0 ? null : content,
      ...(reasoning !== undefined && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }
  const { role, content } = message;
  if (typeof content === 'string') return { role, content };
  return {
    role,
    content: content.map((part) =>
      part.type === 'text'
        ? part
        : { type: 'image_url', image_url: { url: `data:${part.mime};base64,${part.data}` } },
    ),
  };
}

function toWireTool({ name, description, parameters, isStrict }: ToolDefinition) {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(isStrict && { strict: true }),
    },
  };
}

function toWireChoice(choice: ToolChoice) {
  return typeof choice === 'string' ? choice : { type: 'function', function: choice };
}

function toWireFormat(format: AnswerFormat) {
  if (format.type === 'json') return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } };
}
