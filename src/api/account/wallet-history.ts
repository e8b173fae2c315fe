import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';
import { TRANSACTIONS_PER_PAGE_MAX } from './limits.ts';
import { Transaction, TransactionType } from './wallet.ts';

const Timestamp = Type.String({ format: 'date-time' });
const closed = { additionalProperties: false };

const FILTER = {
  type: Type.Optional(TransactionType),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A part of the description, or an id.' }),
  ),
};

export const searchTransactions = endpoint({
  method: 'GET',
  path: '/api/wallet/transactions',
  summary: 'Search the transactions, newest first',
  tag: 'Wallet',
  access: 'management',
  query: Type.Object(
    {
      ...FILTER,
      before: Type.Optional(Type.String({ description: 'Continue after the transaction with this id.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: TRANSACTIONS_PER_PAGE_MAX, default: 100 })),
    },
    closed,
  ),
  response: Type.Object({
    transactions: Type.Array(Transaction),
    next: Type.Union([Type.String(), Type.Null()], {
      description:
        'The `before` that continues the search; null at its end. Before that, a page may have fewer than `limit`.',
    }),
  }),
});

export const exportTransactions = endpoint({
  method: 'GET',
  path: '/api/wallet/export',
  summary: 'Download the transactions as CSV, newest first',
  tag: 'Wallet',
  access: 'management',
  query: Type.Object(FILTER, closed),
  response: Type.Unknown(),
  produces: ['text/csv'],
});

export const WalletHistory = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    bucket: Type.Enum(['hour', 'day']),
    data: Type.Array(
      Type.Object({
        start: Timestamp,
        balance: Type.Number({ description: 'At the end of the bucket, in credits.' }),
      }),
    ),
  },
  { $id: 'WalletHistory' },
);
export type WalletHistory = Static<typeof WalletHistory>;

export const getWalletHistory = endpoint({
  method: 'GET',
  path: '/api/wallet/history',
  summary: 'Get the balance over time',
  tag: 'Wallet',
  access: 'management',
  query: Type.Object(
    {
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      bucket: Type.Optional(
        Type.Enum(['hour', 'day'], { default: 'day', description: 'In UTC. At most 1,000 in one report.' }),
      ),
    },
    closed,
  ),
  response: WalletHistory,
});
