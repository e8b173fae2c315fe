import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { Notice } from '../management/daemon.ts';
import { Balance, Transaction } from './wallet.ts';

const CREDITS_MAX = 9_000_000;
const Credits = Type.Number({ minimum: 0, maximum: CREDITS_MAX });
const closed = { additionalProperties: false };

const AutoTopup = Type.Object(
  {
    enabled: Type.Boolean(),
    threshold: Credits,
    amount: Type.Number({ minimum: 0, exclusiveMaximum: 500, description: 'At least 1 when it is enabled.' }),
  },
  closed,
);
const SpendingLimit = Type.Object(
  { enabled: Type.Boolean(), monthly_limit: Credits, action: Type.Enum(['block', 'alert']) },
  closed,
);
const Email = Type.String({ format: 'email', maxLength: 254 });

export const WalletSettings = Type.Object(
  {
    auto_topup: AutoTopup,
    spending_limit: SpendingLimit,
    low_balance_alert: Type.Object({
      enabled: Type.Boolean(),
      threshold: Credits,
      email: Type.Union([Email, Type.Null()]),
    }),
  },
  { $id: 'WalletSettings' },
);
export type WalletSettings = Static<typeof WalletSettings>;

export const WalletSettingsRequest = Type.Object(
  {
    auto_topup: Type.Optional(AutoTopup),
    spending_limit: Type.Optional(SpendingLimit),
    low_balance_alert: Type.Optional(
      Type.Object(
        {
          enabled: Type.Boolean(),
          threshold: Credits,
          email: Type.Optional(Type.Union([Email, Type.Null()])),
        },
        closed,
      ),
    ),
  },
  { $id: 'WalletSettingsRequest', additionalProperties: false, minProperties: 1 },
);
export type WalletSettingsRequest = Static<typeof WalletSettingsRequest>;

export const getWalletSettings = endpoint({
  method: 'GET',
  path: '/api/wallet/settings',
  summary: 'Get the automatic top-up, spending limit and low-balance alert',
  tag: 'Wallet',
  access: 'management',
  response: WalletSettings,
});

export const putWalletSettings = endpoint({
  method: 'PUT',
  path: '/api/wallet/settings',
  summary: 'Replace the given parts of the wallet settings',
  tag: 'Wallet',
  access: 'management',
  isAtomic: true,
  body: WalletSettingsRequest,
  response: WalletSettings,
});

export const getWallet = endpoint({
  method: 'GET',
  path: '/api/wallet',
  summary: 'Get the wallet for the dashboard: balance, latest transactions and notices',
  tag: 'Wallet',
  access: 'management',
  response: Type.Object({
    balance: Balance,
    transactions: Type.Array(Transaction),
    notices: Type.Array(Notice),
  }),
});
