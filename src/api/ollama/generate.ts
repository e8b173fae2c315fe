import { endpoint } from '../endpoint.ts';
import { generatePolicy } from '../parameters/ollama.ts';
import { Type, type Static } from '../schema.ts';
import { AskedFor, Told } from './common.ts';

export const GenerateRequest = Type.Object(
  {
    ...AskedFor,
    prompt: Type.Optional(
      Type.String({ description: 'Without one the model is loaded, or taken out of memory.' }),
    ),
    suffix: Type.Optional(Type.String({ description: 'The model fills in what comes before it.' })),
    system: Type.Optional(Type.String()),
    images: Type.Optional(Type.Array(Type.String())),
    context: Type.Optional(
      Type.Array(Type.Integer(), { description: 'As the last answer gave it: the conversation goes on.' }),
    ),
    raw: Type.Optional(Type.Boolean({ description: 'The prompt is gone on with as it is.' })),
  },
  { additionalProperties: false },
);
export type GenerateRequest = Static<typeof GenerateRequest>;

const Answer = Type.Object(
  {
    ...Told,
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
  summary: 'Answer a prompt or go on with a text, as Ollama does',
  tag: 'Ollama',
  access: 'chat',
  body: GenerateRequest,
  policy: generatePolicy,
  response: Answer,
  event: Answer,
  eventType: 'application/x-ndjson',
});
