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
    description: 'Only so many of the likeliest tokens are candidates; 40 when absent, all with 0 or -1.',
  }),
);

const RepeatPenalty = Type.Optional(
  Type.Number({
    minimum: 0.01,
    maximum: 10,
    description: 'Divides the likelihood of what came before; 1 is off.',
  }),
);

/** Beyond the convention, by the names of llama-server; those of vLLM beside them. */
export const LocalSampling = {
  top_k: TopK,
  min_p: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Candidates are at least so likely as this share of the likeliest.',
    }),
  ),
  typical_p: Type.Optional(
    Type.Number({ minimum: 0.001, maximum: 1, description: 'Locally typical sampling; 1 is off.' }),
  ),
  repeat_penalty: RepeatPenalty,
  repetition_penalty: RepeatPenalty,
  repeat_last_n: Type.Optional(
    Type.Integer({
      minimum: -1,
      description: 'So many of the last tokens are looked at by all penalties; -1 for all.',
    }),
  ),
};
