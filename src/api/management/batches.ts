import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';
import { Batch } from '../tasks/batches.ts';
import { listOf } from '../tasks/files.ts';

const FAILURES_MAX = 100;

export const AccountBatch = Type.Object(
  {
    ...Batch.properties,
    key_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The key that created it; null for the command line.',
    }),
  },
  { $id: 'AccountBatch' },
);
export type AccountBatch = Static<typeof AccountBatch>;

export const BatchFailure = Type.Object(
  {
    custom_id: Type.String(),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if it was never sent.' }),
    code: Type.Union([Type.String(), Type.Null()]),
    message: Type.String(),
  },
  { $id: 'BatchFailure' },
);
export type BatchFailure = Static<typeof BatchFailure>;

const common = { tag: 'Batches', access: 'control' } as const;

export const listAccountBatches = endpoint({
  ...common,
  method: 'GET',
  path: '/api/batches',
  summary: 'List the batches of all keys, the newest first',
  query: Type.Object(
    {
      after: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    },
    { additionalProperties: false },
  ),
  response: listOf(AccountBatch, 'AccountBatchList'),
});

export const cancelAccountBatch = endpoint({
  ...common,
  method: 'POST',
  path: '/api/batches/{id}/cancel',
  summary: 'Cancel a batch of any key; what was done is kept',
  response: AccountBatch,
});

export const listBatchFailures = endpoint({
  ...common,
  method: 'GET',
  path: '/api/batches/{id}/failures',
  summary: 'List the first requests of a batch that failed, also while it runs',
  query: Type.Object(
    { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FAILURES_MAX, default: 20 })) },
    { additionalProperties: false },
  ),
  response: Type.Object({ data: Type.Array(BatchFailure) }),
});

export const getBatchResults = endpoint({
  ...common,
  method: 'GET',
  path: '/api/batches/{id}/results',
  summary: 'Download the answers of a batch, or the requests that failed, as JSON lines',
  query: Type.Object(
    { part: Type.Optional(Type.Enum(['answers', 'errors'], { default: 'answers' })) },
    { additionalProperties: false },
  ),
  response: Type.String(),
  produces: ['application/octet-stream'],
});
