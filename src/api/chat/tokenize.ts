import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

const Model = Type.Optional(Type.String({ minLength: 1, default: 'svc-chat-v1' }));
const Ids = Type.Array(Type.Integer({ minimum: 0 }));
const access = 'chat' as const;
const tag = 'Chat';

/** Under the names of llama-server and vLLM. */
export const TokenizeBody = Type.Object(
  {
    model: Model,
    content: Type.Optional(Type.String()),
    prompt: Type.Optional(Type.String({ description: 'Alias of content.' })),
    add_special: Type.Optional(Type.Boolean({ default: false })),
    add_special_tokens: Type.Optional(Type.Boolean({ description: 'Alias of add_special.' })),
    parse_special: Type.Optional(Type.Boolean({ default: true })),
    with_pieces: Type.Optional(
      Type.Boolean({ default: false, description: 'Return each token with its text or bytes.' }),
    ),
    return_token_strs: Type.Optional(Type.Boolean()),
  },
  { $id: 'TokenizeBody', additionalProperties: false },
);
export type TokenizeBody = Static<typeof TokenizeBody>;

export const TokenizeAnswer = Type.Object(
  {
    tokens: Type.Array(
      Type.Union([
        Type.Integer(),
        Type.Object({ id: Type.Integer(), piece: Type.Union([Type.String(), Type.Array(Type.Integer())]) }),
      ]),
    ),
    count: Type.Integer(),
    token_strs: Type.Optional(Type.Array(Type.String())),
  },
  { $id: 'TokenizeAnswer' },
);
export type TokenizeAnswer = Static<typeof TokenizeAnswer>;

export const DetokenizeBody = Type.Object(
  { model: Model, tokens: Ids },
  { $id: 'DetokenizeBody', additionalProperties: false },
);

export const DetokenizeAnswer = Type.Object(
  { content: Type.String(), prompt: Type.String({ description: 'The same, under its name in vLLM.' }) },
  { $id: 'DetokenizeAnswer' },
);

const toTokens = {
  method: 'POST' as const,
  summary: 'Tokenize a text with the tokenizer of a model; nothing is charged',
  tag,
  access,
  body: TokenizeBody,
  policy: { withoutEffect: ['user'] },
  response: TokenizeAnswer,
};

const toText = {
  method: 'POST' as const,
  summary: 'Detokenize tokens of a model; nothing is charged',
  tag,
  access,
  body: DetokenizeBody,
  policy: { withoutEffect: ['user'] },
  response: DetokenizeAnswer,
};

export const tokenize = endpoint({ ...toTokens, path: '/v1/tokenize' });
export const detokenize = endpoint({ ...toText, path: '/v1/detokenize' });

/** llama-server's paths, without /v1. */
export const tokenizeAtRoot = endpoint({ ...toTokens, path: '/tokenize' });
export const detokenizeAtRoot = endpoint({ ...toText, path: '/detokenize' });
