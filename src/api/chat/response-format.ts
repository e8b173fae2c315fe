import { Type } from '../schema.ts';

const Grammar = Type.String({ minLength: 1, description: 'A GBNF grammar for the whole answer.' });
const Schema = Type.Unknown({ description: 'The same as response_format with a json_schema.' });
const Choice = Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000 });

/** Constrained output under the names of llama-server and vLLM; at most one of them or `response_format`. */
export const LocalFormats = {
  grammar: Type.Optional(Grammar),
  json_schema: Type.Optional(Schema),
  guided_json: Type.Optional(Schema),
  guided_grammar: Type.Optional(Grammar),
  guided_choice: Type.Optional(Choice),
  structured_outputs: Type.Optional(
    Type.Object(
      {
        json: Type.Optional(Schema),
        grammar: Type.Optional(Grammar),
        choice: Type.Optional(Choice),
      },
      { additionalProperties: false },
    ),
  ),
};
