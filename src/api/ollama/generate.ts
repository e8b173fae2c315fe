import { endpoint } from '../endpoint.ts';
import { generatePolicy } from '../parameters/ollama.ts';
import { Type, type Static } from '../schema.ts';
import { AskedFor, Answered } from './common.ts';

export const GenerateRequest = Type.Object(
  {
    ...AskedFor,
    prompt: Type.Optional(Type.String({ description: 'Without a prompt, the model is loaded or unloaded.' })),
    suffix: Type.Optional(Type.String({ description: 'The model fills in the text before it.' })),
    system: Type.Optional(Type.String()),
    images: Type.Optional(Type.Array(Type.String())),
    context: Type.Optional(
      Type.Array(Type.Integer(), { description: 'From the last response, to continue the conversation.' }),
    ),
    raw: Type.Optional(Type.Boolean({ description: 'The prompt is used as it is, without a template.' })),
  },
  { additionalProperties: false },
);
export type GenerateRequest = Static<typeof GenerateRequest>;

const Answer = Type.Object(
  {
    ...Answered,
    response: Type.String(),
    thinking: Type.Optional(Type.String()),
    context: Type.Optional(Type.Array(Type.Integer())),
  },
  { $id: 'OllamaGenerateAnswer' },
);
export type GenerateAnswer = Static<typeof Answer>;

export const ollamaGenerate = endpoint({
  method: 'POST',
  path: '/api/generate',
  summary: 'Answer a prompt or complete a text, as Ollama does',
  tag: 'Ollama',
  access: 'chat',
  body: GenerateRequest,
  policy: generatePolicy,
  response: Answer,
  event: Answer,
  eventType: 'application/x-ndjson',
});
