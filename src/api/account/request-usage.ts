import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

const Count = Type.Integer({ minimum: 0 });

export const RequestUsage = Type.Object(
  {
    request_id: Type.String(),
    task: Type.String(),
    model: Type.String(),
    artifact: Type.String({ description: 'What served it.' }),
    outcome: Type.Enum(['finished', 'disconnected', 'failed']),
    prompt_tokens: Count,
    cached_tokens: Count,
    completion_tokens: Count,
    characters: Count,
    seconds: Type.Number({ minimum: 0, description: 'Of audio.' }),
    images: Count,
    credits: Type.Number({ minimum: 0, description: 'What was charged. Refunds are not subtracted.' }),
    started_at: Type.String({ format: 'date-time' }),
    duration_ms: Count,
    simulated: Type.Union([Type.String(), Type.Null()], {
      description: 'The trouble that a test key asked for.',
    }),
    tool_calls: Type.Array(
      Type.Object({
        server: Type.String(),
        tool: Type.String(),
        outcome: Type.String({ description: 'ok, error, or the code of the failure.' }),
        duration_ms: Count,
      }),
      { description: 'Tools of MCP servers that it called.' },
    ),
  },
  { $id: 'RequestUsage' },
);
export type RequestUsage = Static<typeof RequestUsage>;

export const getRequestUsage = endpoint({
  method: 'GET',
  path: '/api/usage/requests/{id}',
  summary: 'Get what one request used and cost, by the x-request-id of its answer',
  tag: 'Wallet',
  access: 'control',
  response: RequestUsage,
});
