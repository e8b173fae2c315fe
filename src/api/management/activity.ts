import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

/** Samples begin at multiples of this. */
export const SAMPLE_SECONDS = 10;
/** One hour of samples, and the current one. */
export const SAMPLES_MAX = 361;

export const ActivitySample = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When it begins: every ten seconds.' }),
    seconds: Type.Number({ description: 'How much of it was measured; the latest sample is still growing.' }),
    requests: Type.Integer({ description: 'Model requests that began.' }),
    generated_tokens: Type.Integer(),
    spent: Type.Number({ description: 'Credits charged.' }),
    first_token_seconds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Average time to the first token of the chats that ended; null without one.',
    }),
    memory_bytes: Type.Integer({ description: 'Of the daemon and its models, at the end.' }),
    models: Type.Array(Type.Object({ artifact: Type.String(), generated_tokens: Type.Integer() }), {
      description: 'The models that generated tokens.',
    }),
  },
  { $id: 'ActivitySample' },
);
export type ActivitySample = Static<typeof ActivitySample>;

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/daemon/activity',
  summary: 'Get what the daemon did in the last hour, in samples of ten seconds',
  tag: 'Daemon',
  access: 'control',
  response: Type.Object({ samples: Type.Array(ActivitySample, { description: 'Oldest first.' }) }),
});
