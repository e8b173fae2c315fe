import { expect, test } from 'vitest';
import { createLoginCodes } from '../../../src/access/login-codes.ts';
import { settableClock } from '../../helpers/clock.ts';

const HOLDER = { accountId: 'acct_local' };

test('a login code works once', () => {
  const codes = createLoginCodes({ clock: settableClock() });
  const { code } = codes.issue(HOLDER);
  expect(codes.redeem(code)).toEqual(HOLDER);
  expect(() => codes.redeem(code)).toThrow(/already been used or has expired/);
});

test('a login code expires after a minute', () => {
  const clock = settableClock();
  const codes = createLoginCodes({ clock });
  const { code, expiresAt } = codes.issue(HOLDER);
  expect(expiresAt - clock.now()).toBe(60_000);
  clock.advance(60_000);
  expect(() => codes.redeem(code)).toThrow(/already been used or has expired/);
});

test('the number of codes is bounded: the oldest makes room', () => {
  const codes = createLoginCodes({ clock: settableClock() });
  const first = codes.issue(HOLDER);
  const later = Array.from({ length: 32 }, () => codes.issue(HOLDER));
  expect(() => codes.redeem(first.code)).toThrow();
  for (const { code } of later) expect(codes.redeem(code)).toEqual(HOLDER);
});

test('the codes of one account do not displace those of another', () => {
  const codes = createLoginCodes({ clock: settableClock() });
  const { code } = codes.issue(HOLDER);
  for (let count = 0; count < 40; count++) codes.issue({ accountId: 'acct_other' });
  expect(codes.redeem(code)).toEqual(HOLDER);
});
