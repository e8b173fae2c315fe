import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { listOf } from './files.ts';

export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/rerank',
] as const;

export const BATCH_STATUSES = [
  'validating',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

const PAIRS_MAX = 16;
const FILE_TTL_SECONDS_MIN = 3600;
const FILE_TTL_SECONDS_MAX = 30 * 86_400;

const Metadata = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 }), {
  maxProperties: PAIRS_MAX,
});

const Nullable = <S extends Parameters<typeof Type.Array>[0]>(schema: S) => Type.Union([schema, Type.Null()]);
const Moment = Nullable(Type.Integer());

export const BatchError = Type.Object(
  {
    code: Type.String(),
    line: Nullable(Type.Integer()),
    message: Type.String(),
    param: Nullable(Type.String()),
  },
  { $id: 'BatchError' },
);
export type BatchError = Static<typeof BatchError>;

export const Batch = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('batch'),
    endpoint: Type.String(),
    model: Nullable(Type.String()),
    errors: Nullable(Type.Object({ object: Type.Literal('list'), data: Type.Array(BatchError) })),
    input_file_id: Type.String(),
    completion_window: Type.String(),
    status: Type.Enum(BATCH_STATUSES),
    waiting: Nullable(Type.String({ description: 'Why no request runs at the moment, and what helps.' })),
    output_file_id: Nullable(Type.String({ description: 'Answers, one per line.' })),
    error_file_id: Nullable(Type.String({ description: 'Requests that failed, one per line.' })),
    created_at: Type.Integer(),
    in_progress_at: Moment,
    expires_at: Type.Integer(),
    finalizing_at: Moment,
    completed_at: Moment,
    failed_at: Moment,
    expired_at: Moment,
    cancelling_at: Moment,
    cancelled_at: Moment,
    request_counts: Type.Object({
      total: Type.Integer(),
      completed: Type.Integer(),
      failed: Type.Integer(),
    }),
    usage: Type.Object({
      input_tokens: Type.Integer(),
      input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
      output_tokens: Type.Integer(),
      output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
      total_tokens: Type.Integer(),
    }),
    cost: Type.Number({ description: 'Credits charged so far: half of what the same requests cost alone.' }),
    metadata: Nullable(Metadata),
  },
  { $id: 'Batch' },
);
export type Batch = Static<typeof Batch>;

export const NewBatch = Type.Object(
  {
    input_file_id: Type.String({ minLength: 1, description: 'A file of the purpose `batch`: JSON lines.' }),
    endpoint: Type.Enum(BATCH_ENDPOINTS),
    completion_window: Type.Literal('24h'),
    metadata: Type.Optional(Metadata),
    output_expires_after: Type.Optional(
      Type.Object(
        {
          anchor: Type.Literal('created_at'),
          seconds: Type.Integer({ minimum: FILE_TTL_SECONDS_MIN, maximum: FILE_TTL_SECONDS_MAX }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'NewBatch', additionalProperties: false },
);

export type NewBatch = Static<typeof NewBatch>;

const tag = 'Batches';
const access = 'chat' as const;

export const createBatch = endpoint({
  method: 'POST',
  path: '/v1/batches',
  summary: 'Process the requests in a file within 24 hours, for half the price',
  tag,
  access,
  body: NewBatch,
  response: Batch,
});

export const listBatches = endpoint({
  method: 'GET',
  path: '/v1/batches',
  summary: 'List batches, the newest first',
  tag,
  access,
  query: Type.Object(
    {
      after: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    },
    { additionalProperties: false },
  ),
  response: listOf(Batch, 'BatchList'),
});

export const getBatch = endpoint({
  method: 'GET',
  path: '/v1/batches/{batch_id}',
  summary: 'Get a batch',
  tag,
  access,
  response: Batch,
});

export const cancelBatch = endpoint({
  method: 'POST',
  path: '/v1/batches/{batch_id}/cancel',
  summary: 'Cancel a batch; what was done is kept',
  tag,
  access,
  response: Batch,
});
