import { createHash, randomBytes } from 'node:crypto';
import type { Provider } from '../provider.ts';

/** A page of the daemon itself: anyone with its URL may confirm. No money moves, and the page says so. */
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

/** The URL is a secret, so the database stores only its hash. */
export function refOfToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
