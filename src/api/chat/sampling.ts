import { Type } from '../schema.ts';

export const STOPS_MAX = 64;

export const Stop = Type.Optional(
  Type.Union([
    Type.String({ minLength: 1 }),
    Type.Array(Type.String({ minLength: 1 }), { maxItems: STOPS_MAX }),
  ]),
);

const TopK = Type.Optional(
  Type.Integer({
    minimum: -1,
    description: 'Sample from this many of the likeliest tokens; 40 by default, all with 0 or -1.',
  }),
);

const RepeatPenalty = Type.Optional(
  Type.Number({
    minimum: 0.01,
    maximum: 10,
    description: 'Penalizes tokens that came before; 1 turns it off.',
  }),
);

/** Extensions under the names of llama-server and of vLLM. */
export const LocalSampling = {
  top_k: TopK,
  min_p: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Minimum probability of a token, relative to the likeliest one.',
    }),
  ),
  typical_p: Type.Optional(
    Type.Number({ minimum: 0.001, maximum: 1, description: 'Locally typical sampling; 1 turns it off.' }),
  ),
  repeat_penalty: RepeatPenalty,
  repetition_penalty: RepeatPenalty,
  repeat_last_n: Type.Optional(
    Type.Integer({
      minimum: -1,
      description: 'How many of the last tokens the penalties consider; -1 for all.',
    }),
  ),
};
