import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

export const CheckStep = Type.Object(
  {
    name: Type.String(),
    status: Type.Enum(['passed', 'weak', 'failed', 'skipped'], {
      description: '`weak`: a worse result than a good model gives. `failed`: no request can rely on it.',
    }),
    message: Type.String(),
    seconds: Type.Number(),
  },
  { $id: 'CheckStep' },
);
export type CheckStep = Static<typeof CheckStep>;

export const ModelCheck = Type.Object(
  {
    artifact: Type.String(),
    verdict: Type.Enum(['good', 'weak', 'broken', 'unknown']),
    summary: Type.String({ description: 'The verdict in words.' }),
    is_full: Type.Boolean(),
    steps: Type.Array(CheckStep),
    tokens_per_second: Type.Record(Type.String(), Type.Number(), {
      description: 'Of all streams together, by the number of streams.',
    }),
    checked_at: Type.String(),
  },
  { $id: 'ModelCheck' },
);
export type ModelCheck = Static<typeof ModelCheck>;

export const CheckRequest = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      description: 'An artifact, or a service model that one is bound to.',
    }),
    full: Type.Optional(
      Type.Boolean({
        description: 'Checks the whole context and takes more cases: minutes instead of seconds.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CheckRequest = Static<typeof CheckRequest>;

/** Each step starts, then finishes; the last event is the check. */
export const CheckProgress = Type.Object(
  {
    state: Type.Enum(['running', 'finished', 'done']),
    name: Type.Union([Type.String(), Type.Null()], { description: 'The step that is running.' }),
    step: Type.Union([CheckStep, Type.Null()]),
    check: Type.Union([ModelCheck, Type.Null()]),
  },
  { $id: 'CheckProgress' },
);
export type CheckProgress = Static<typeof CheckProgress>;

export const checkModel = endpoint({
  method: 'POST',
  path: '/api/daemon/check',
  summary: 'Check that a model works on this machine; disconnecting stops it',
  tag: 'Library',
  access: 'control',
  body: CheckRequest,
  response: CheckProgress,
  event: CheckProgress,
});
