import { Type, type Static } from '../schema.ts';
import { Stop } from '../chat/sampling.ts';

/** Some clients still send the field's former name. */
export const Named = {
  model: Type.Optional(Type.String({ minLength: 1 })),
  name: Type.Optional(Type.String({ minLength: 1 })),
};

/** A Go duration such as 5m, or seconds; 0 unloads the model at once, a negative value keeps it loaded. */
export const KeepAlive = Type.Optional(Type.Union([Type.String(), Type.Number()]));

export const Think = Type.Optional(
  Type.Union([Type.Boolean(), Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'max'])]),
);

export const Format = Type.Optional(
  Type.Union([Type.Enum(['', 'json']), Type.Record(Type.String(), Type.Unknown())]),
);

export const Options = Type.Optional(
  Type.Object(
    {
      num_predict: Type.Optional(Type.Integer({ minimum: -2 })),
      temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
      top_k: Type.Optional(Type.Integer({ minimum: -1 })),
      top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      min_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      typical_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      repeat_penalty: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
      repeat_last_n: Type.Optional(Type.Integer({ minimum: -1 })),
      presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
      frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
      seed: Type.Optional(Type.Integer()),
      stop: Stop,
    },
    { additionalProperties: false },
  ),
);
export type Options = NonNullable<Static<typeof Options>>;

/** In nanoseconds. */
export const Durations = {
  total_duration: Type.Optional(Type.Integer()),
  load_duration: Type.Optional(Type.Integer()),
  prompt_eval_count: Type.Optional(Type.Integer()),
  prompt_eval_duration: Type.Optional(Type.Integer()),
  eval_count: Type.Optional(Type.Integer()),
  eval_duration: Type.Optional(Type.Integer()),
};

export const Logprobs = Type.Optional(
  Type.Array(
    Type.Object({
      token: Type.String(),
      logprob: Type.Number(),
      bytes: Type.Array(Type.Integer()),
      top_logprobs: Type.Optional(Type.Array(Type.Unknown())),
    }),
  ),
);

/** What `chat` and `generate` have in common. */
export const AskedFor = {
  ...Named,
  stream: Type.Optional(Type.Boolean({ description: 'True when absent.' })),
  format: Format,
  think: Think,
  keep_alive: KeepAlive,
  options: Options,
  logprobs: Type.Optional(Type.Boolean()),
  top_logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
};

export const Answered = {
  model: Type.String(),
  created_at: Type.String(),
  done: Type.Boolean(),
  done_reason: Type.Optional(Type.String()),
  logprobs: Logprobs,
  ...Durations,
};
