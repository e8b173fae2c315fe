import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { TRANSACTIONS_PER_PAGE_MAX } from './limits.ts';

const Credits = Type.Number({ description: 'Credits, one per US dollar, exact to nine decimal places.' });
const Timestamp = Type.String({ format: 'date-time' });

export const Balance = Type.Object(
  {
    balance: Credits,
    currency: Type.String(),
    held: Type.Number({ description: 'Held for running requests.' }),
    available: Type.Number({ description: 'The balance minus what is held.' }),
  },
  { $id: 'Balance' },
);
export type Balance = Static<typeof Balance>;

export const TransactionType = Type.Enum(['topup', 'usage', 'refund', 'bonus']);

export const Transaction = Type.Object(
  {
    id: Type.String(),
    type: TransactionType,
    amount: Type.Number({ description: 'Negative for usage.' }),
    balance_after: Credits,
    created_at: Timestamp,
    description: Type.String(),
  },
  { $id: 'Transaction' },
);
export type Transaction = Static<typeof Transaction>;

export const TransactionQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: TRANSACTIONS_PER_PAGE_MAX, default: 50 })),
    before: Type.Optional(
      Type.String({ description: 'Return only transactions older than the one with this id.' }),
    ),
    type: Type.Optional(TransactionType),
  },
  { additionalProperties: false },
);
export type TransactionQuery = Static<typeof TransactionQuery>;

export const getBalance = endpoint({
  method: 'GET',
  path: '/v1/wallet/balance',
  summary: 'Get the balance of the wallet',
  tag: 'Wallet',
  access: 'read',
  response: Balance,
});

export const listTransactions = endpoint({
  method: 'GET',
  path: '/v1/wallet/transactions',
  summary: 'List transactions, newest first',
  tag: 'Wallet',
  access: 'read',
  query: TransactionQuery,
  response: Type.Object({ transactions: Type.Array(Transaction) }),
});
