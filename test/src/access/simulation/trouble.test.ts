import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAILURES } from '../../../../src/base/errors.ts';
import {
  breaksAnswer,
  parseHeader,
  readTrouble,
  toHeader,
} from '../../../../src/access/simulation/trouble.ts';

const read = (header: string) => readTrouble(parseHeader(header), 'x-askd-simulate');
const codes = Object.entries(FAILURES).flatMap(([code, { status }]) => (status === 499 ? [] : [code]));

test.each([
  ['status=429; retry-after=2', { error: 'rate_limit_exceeded', retry_after: 2 }],
  ['error=overload', { error: 'queue_full' }],
  ['error=empty-wallet', { error: 'insufficient_credits' }],
  ['status=402', { error: 'insufficient_credits' }],
  ['delay=2s, first-token-delay=500ms', { delay_ms: 2000, first_token_delay_ms: 500 }],
  ['delay-ms=20;tokens_per_second=7.5', { delay_ms: 20, tokens_per_second: 7.5 }],
  ['no-end', { no_end: true }],
  ['cut-after=0; webhook=twice', { cut_after: 0, webhook: 'twice' }],
])('the header %s asks for %j', (header, trouble) => expect(read(header)).toEqual(trouble));

test.each([
  ['', /Nothing is requested/],
  ['colour=red', /"colour" cannot be simulated\. Use one of error, status/],
  ['error=nonsense', /There is no error "nonsense"/],
  ['status=418', /status must be one of 400, 401/],
  ['delay=soon', /delay_ms must be a number/],
  ['cut-after=-1', /cut_after must be a number from 0/],
  ['cut-after=2s', /cut_after must be a number/],
  ['retry-after=2', /retry_after needs an error/],
  ['webhook=lost', /webhook must be one of late, twice/],
])('the header "%s" is refused with the reason', (header, message) =>
  expect(() => read(header)).toThrow(message),
);

test('the simulated trouble reads back as requested', () => {
  const number = (max: number) => fc.integer({ min: 0, max });
  const trouble = fc.record(
    {
      error: fc.constantFrom(...codes),
      delay_ms: number(600_000),
      first_token_delay_ms: number(600_000),
      cut_after: number(1000),
      truncate_after: number(1000),
      no_end: fc.constant(true),
      webhook: fc.constantFrom('late', 'twice'),
    },
    { requiredKeys: ['delay_ms'] },
  );
  fc.assert(
    fc.property(trouble, (asked) => {
      expect(read(toHeader(asked as never))).toEqual(asked);
    }),
  );
});

test('only what keeps an answer from arriving whole makes it free', () => {
  expect(
    ['error=overload', 'cut-after=1', 'truncate-after=1', 'no-end'].map((each) => breaksAnswer(read(each))),
  ).toEqual([true, true, true, true]);
  expect(['delay=1s', 'tokens-per-second=5', 'webhook=late'].map((each) => breaksAnswer(read(each)))).toEqual(
    [false, false, false],
  );
});
