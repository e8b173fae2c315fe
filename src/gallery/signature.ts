import { createHmac, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

type Keys = { derive: (purpose: string, bytes: number) => Buffer };

export type Signed = { name: string; expires: number };

/** Proves that this daemon issued a URL, and how long it is valid. */
export function createSignatures({ derive }: Keys) {
  const key = derive('addresses of pictures', KEY_BYTES);

  function sign({ name, expires }: Signed): string {
    return createHmac('sha256', key).update(`${expires} ${name}`).digest('base64url');
  }

  return {
    sign,
    /** In constant time. */
    isGenuine(signed: Signed, signature: string): boolean {
      const wanted = Buffer.from(sign(signed));
      const given = Buffer.from(signature);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}
