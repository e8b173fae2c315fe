import { endpoint } from '../endpoint.ts';
import { Type } from '../schema.ts';
import { Balance } from '../account/wallet.ts';

/** Only a daemon for tests has these routes, so they are in no list of endpoints. */
const common = { tag: 'Tests', access: 'owner' } as const;

const Now = Type.Object({ now: Type.String({ format: 'date-time' }) });

export const getTestClock = endpoint({
  ...common,
  method: 'GET',
  path: '/api/test/clock',
  summary: 'Get the time of the daemon',
  response: Now,
});

export const moveTestClock = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/test/clock',
  summary: 'Move the clock ahead, by a time or to a date',
  body: Type.Object(
    {
      advance: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      now: Type.Optional(Type.String({ format: 'date-time' })),
    },
    { additionalProperties: false },
  ),
  response: Now,
});

export const setTestWallet = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/test/wallet',
  summary: 'Set the balance of the wallet, and turn its automatic top-up off',
  body: Type.Object({ balance: Type.Number({ minimum: 0 }) }, { additionalProperties: false }),
  response: Balance,
});
