import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { translatePolicy } from '../parameters/translate.ts';

const Language = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A name or a code: French, fr, fr-CA.',
});

export const TranslateRequest = Type.Object(
  {
    text: Type.String({ minLength: 1 }),
    target_language: Language,
    source_language: Type.Optional(Language),
    model: Type.Optional(Type.String({ minLength: 1, default: 'svc-translate-v1' })),
  },
  { $id: 'TranslateRequest', additionalProperties: false },
);
export type TranslateRequest = Static<typeof TranslateRequest>;

export const TranslateResult = Type.Object(
  {
    translated_text: Type.String(),
    target_language: Type.String(),
    source_language: Type.Optional(Type.String()),
    model: Type.String(),
    usage: Type.Object({
      prompt_tokens: Type.Integer(),
      completion_tokens: Type.Integer(),
      total_tokens: Type.Integer(),
    }),
  },
  { $id: 'TranslateResult' },
);
export type TranslateResult = Static<typeof TranslateResult>;

export const translate = endpoint({
  method: 'POST',
  path: '/v1/translate',
  summary: 'Translate a text, and keep its lines, lists, code and placeholders',
  tag: 'Translation',
  access: 'chat',
  body: TranslateRequest,
  policy: translatePolicy,
  response: TranslateResult,
});
