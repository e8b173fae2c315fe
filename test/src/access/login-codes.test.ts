import { expect, test } from 'vitest';
import { createLoginCodes } from '../../../src/access/login-codes.ts';
import { settableClock } from '../../helpers/clock.ts';

test('a login code opens once', () => {
  const codes = createLoginCodes({ clock: settableClock() });
  const { code } = codes.issue('acct_local');
  expect(codes.redeem(code)).toBe('acct_local');
  expect(() => codes.redeem(code)).toThrow(/already been used or has expired/);
});

test('a login code is over after a minute', () => {
  const clock = settableClock();
  const codes = createLoginCodes({ clock });
  const { code, expiresAt } = codes.issue('acct_local');
  expect(expiresAt - clock.now()).toBe(60_000);
  clock.advance(60_000);
  expect(() => codes.redeem(code)).toThrow(/already been used or has expired/);
});

test('many codes are never too many: the oldest makes room', () => {
  const codes = createLoginCodes({ clock: settableClock() });
  const first = codes.issue('acct_local');
  const later = Array.from({ length: 32 }, () => codes.issue('acct_local'));
  expect(() => codes.redeem(first.code)).toThrow();
  for (const { code } of later) expect(codes.redeem(code)).toBe('acct_local');
});
