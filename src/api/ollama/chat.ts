import { endpoint } from '../endpoint.ts';
import { ollamaPolicy } from '../parameters/ollama.ts';
import { Type, type Static } from '../schema.ts';
import { AskedFor, Answered } from './common.ts';

const Call = Type.Object(
  {
    id: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    function: Type.Object(
      {
        index: Type.Optional(Type.Integer()),
        name: Type.String({ minLength: 1 }),
        arguments: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())])),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export const OllamaMessage = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: Type.Optional(Type.String()),
    thinking: Type.Optional(Type.String()),
    images: Type.Optional(Type.Array(Type.String())),
    tool_calls: Type.Optional(Type.Array(Call)),
    tool_name: Type.Optional(Type.String()),
    tool_call_id: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type OllamaMessage = Static<typeof OllamaMessage>;

const Tool = Type.Object(
  {
    type: Type.Optional(Type.String()),
    function: Type.Object(
      {
        name: Type.String({ minLength: 1 }),
        description: Type.Optional(Type.String()),
        parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type OllamaTool = Static<typeof Tool>;

export const OllamaChatRequest = Type.Object(
  {
    ...AskedFor,
    messages: Type.Optional(
      Type.Array(OllamaMessage, { description: 'Without messages, the model is loaded or unloaded.' }),
    ),
    tools: Type.Optional(Type.Array(Tool)),
  },
  { additionalProperties: false },
);
export type OllamaChatRequest = Static<typeof OllamaChatRequest>;

const Answer = Type.Object({ ...Answered, message: OllamaMessage }, { $id: 'OllamaChatAnswer' });
export type OllamaChatAnswer = Static<typeof Answer>;

export const ollamaChat = endpoint({
  method: 'POST',
  path: '/api/chat',
  summary: 'Answer a conversation, as Ollama does',
  tag: 'Ollama',
  access: 'chat',
  body: OllamaChatRequest,
  policy: ollamaPolicy,
  response: Answer,
  event: Answer,
  eventType: 'application/x-ndjson',
});
