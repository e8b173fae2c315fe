import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const RateLimitStatus = Type.Object(
  {
    limit: Type.Integer({ description: 'Requests per minute; 1000000000 where nothing limits them.' }),
    remaining: Type.Integer({ description: 'Requests left in this minute of the clock.' }),
    reset: Type.String({ format: 'date-time', description: 'When this minute ends.' }),
    tokens: Type.Object({
      limit: Type.Integer({ description: 'Tokens per minute; 1000000000 where nothing limits them.' }),
      remaining: Type.Integer(),
    }),
    month: Type.Object({
      used: Type.Integer({ description: 'Tokens used in this calendar month, in UTC.' }),
      limit: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: no monthly limit.' }),
    }),
  },
  { $id: 'RateLimitStatus' },
);
export type RateLimitStatus = Static<typeof RateLimitStatus>;

export const getRateLimit = endpoint({
  method: 'GET',
  path: '/v1/rate-limit',
  summary: 'What is left of the limits; asking costs nothing',
  tag: 'Limits',
  access: 'read',
  response: RateLimitStatus,
});
