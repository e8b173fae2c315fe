import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { KeyBudget } from './keys.ts';

export const RateLimitStatus = Type.Object(
  {
    limit: Type.Integer({
      description:
        'Requests per minute, of the key where it has fewer left than the account; 1000000000 when unlimited.',
    }),
    remaining: Type.Integer({ description: 'Requests left in the current minute.' }),
    reset: Type.String({ format: 'date-time', description: 'When the current minute ends.' }),
    tokens: Type.Object({
      limit: Type.Integer({ description: 'Tokens per minute; 1000000000 when unlimited.' }),
      remaining: Type.Integer(),
    }),
    month: Type.Object({
      used: Type.Integer({ description: 'Tokens used in this calendar month, in UTC.' }),
      limit: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Null when there is no monthly limit.',
      }),
    }),
    budget: Type.Optional(KeyBudget),
  },
  { $id: 'RateLimitStatus' },
);
export type RateLimitStatus = Static<typeof RateLimitStatus>;

export const getRateLimit = endpoint({
  method: 'GET',
  path: '/v1/rate-limit',
  summary: 'Get the remaining limits; this request does not count',
  tag: 'Limits',
  access: 'read',
  response: RateLimitStatus,
});

export const getLimitsLeft = endpoint({
  method: 'GET',
  path: '/api/account/limits',
  summary: 'Get the remaining limits of the account',
  tag: 'Limits',
  access: 'management',
  response: RateLimitStatus,
});
