import { describe, expect, test } from 'vitest';
import { ACCOUNT, openWallet } from '../../helpers/accounts/wallet.ts';

const small = { promptTokens: 5, completionTokens: 5 };

function openLimits(limits: { rpm?: number; tpm?: number }) {
  const parts = openWallet();
  parts.tiers.set(ACCOUNT, 'enterprise', limits);
  return parts;
}

describe('the limits of an account', () => {
  test('say in a refusal what is used up and how long to wait', () => {
    const { rates, clock } = openLimits({ rpm: 1 });
    rates.admit(ACCOUNT, small);
    clock.advance(20_500);
    const refused = {
      code: 'rate_limit_exceeded',
      param: 'rpm',
      retryAfterSeconds: 40,
      details: { retry_after: 40 },
    };
    expect(() => rates.admit(ACCOUNT, small)).toThrow(expect.objectContaining(refused));
    expect(() => rates.refuseIfExhausted(ACCOUNT)).toThrow(expect.objectContaining(refused));
    clock.advance(39_500);
    rates.refuseIfExhausted(ACCOUNT);
    rates.admit(ACCOUNT, small);
  });

  test('can be read without counting', () => {
    const { rates } = openLimits({ rpm: 1 });
    for (let count = 0; count < 5; count++) rates.refuseIfExhausted(ACCOUNT);
    expect(rates.status(ACCOUNT).rpm.remaining).toBe(1);
  });

  test('refuse a prompt that can never pass as an error, not with a wait', () => {
    const { rates } = openLimits({ tpm: 100 });
    const attempt = () => rates.admit(ACCOUNT, { promptTokens: 101, completionTokens: 0 });
    expect(attempt).toThrow(expect.objectContaining({ code: 'request_too_large_for_tier' }));
    rates.admit(ACCOUNT, { promptTokens: 100, completionTokens: 1024 });
    expect(rates.status(ACCOUNT)).toMatchObject({ tpm: { remaining: 0 } });
  });

  test('report the first refusal of each kind in a minute, once', () => {
    const { rates, clock, eventsOf } = openLimits({ rpm: 2, tpm: 10 });
    const attempt = () => {
      try {
        rates.admit(ACCOUNT, small);
      } catch {
        // Refused, as it must be.
      }
    };
    attempt();
    for (let count = 0; count < 3; count++) attempt();
    expect(eventsOf('usage.limit_reached')).toEqual([{ kind: 'tpm', period: '2026-06-01T12:00' }]);
    clock.advance(60_000);
    for (let count = 0; count < 3; count++) attempt();
    expect(eventsOf('usage.limit_reached')).toHaveLength(2);
  });
});

describe('a tier', () => {
  test.each([
    ['free', 10, 100_000, 100_000],
    ['developer', 100, 1_000_000, 5_000_000],
    ['startup', 500, 5_000_000, 25_000_000],
    ['enterprise', 1_000_000_000, 1_000_000_000, undefined],
  ] as const)('%s has the documented numbers', (name, rpm, tpm, monthlyTokens) => {
    const { tiers } = openWallet();
    expect(tiers.set(ACCOUNT, name)).toMatchObject({ rpm, tpm, ...(monthlyTokens && { monthlyTokens }) });
  });

  test('changes at once, in the middle of a minute', () => {
    const { rates, tiers } = openLimits({ rpm: 1 });
    rates.admit(ACCOUNT, small);
    tiers.set(ACCOUNT, 'startup');
    expect(rates.status(ACCOUNT).rpm).toEqual({ limit: 500, remaining: 499 });
    tiers.set(ACCOUNT, 'enterprise', { rpm: 1 });
    expect(() => rates.admit(ACCOUNT, small)).toThrow(expect.objectContaining({ param: 'rpm' }));
  });

  test('is reported when it changes, and not when it stays the same', () => {
    const { tiers, eventsOf } = openWallet();
    tiers.set(ACCOUNT, 'developer');
    tiers.set(ACCOUNT, 'startup');
    expect(eventsOf('subscription.updated').at(-1)).toEqual({ tier: 'startup', previous_tier: 'developer' });
    expect(eventsOf('subscription.updated')).toHaveLength(2);
  });

  test('can have custom numbers only as enterprise', () => {
    const { tiers } = openWallet();
    expect(() => tiers.set(ACCOUNT, 'startup', { rpm: 1 })).toThrow(
      expect.objectContaining({ param: 'limits' }),
    );
  });

  test('stays as it was when the change around it fails', () => {
    const { store, tiers } = openWallet();
    const attempt = () =>
      store.transaction(() => {
        tiers.set(ACCOUNT, 'enterprise');
        throw new Error('on second thoughts');
      });
    expect(attempt).toThrow('on second thoughts');
    expect(tiers.of(ACCOUNT).name).toBe('developer');
  });
});
