import { Failure } from '../base/errors.ts';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** The value of the header `Idempotency-Key`, with or without the quotes that its draft standard asks for. */
export function readIdempotencyKey(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (VISIBLE_ASCII.test(key)) return key;
  throw new Failure('invalid_value', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
    param: 'Idempotency-Key',
  });
}
