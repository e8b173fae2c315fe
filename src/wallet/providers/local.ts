import { createHash, randomBytes } from 'node:crypto';
import type { Provider } from '../provider.ts';

/** A page of the daemon itself: whoever has its address may confirm. No money moves, and the page says so. */
export function createLocalProvider({ rootUrl }: { rootUrl: () => string }): Provider {
  return {
    name: 'local',
    movesMoney: false,
    async open() {
      const token = `askpay_${randomBytes(32).toString('base64url')}`;
      return { url: `${rootUrl()}/checkout/${token}`, ref: refOfToken(token) };
    },
    async charge() {
      return 'paid';
    },
  };
}

/** The address is a secret, so the database knows it by its hash alone. */
export function refOfToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
