import type { RequestUsage } from '../../../../../../src/api/account/request-usage.ts';
import { ApiError, call } from '../../../data/api.ts';

const WAITS_MS = [0, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** What a request cost. A stopped request is charged when its model has let go of it, a moment later. */
export async function chargeOf(requestId: string): Promise<RequestUsage | undefined> {
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      return await call<RequestUsage>('GET', `/api/usage/requests/${encodeURIComponent(requestId)}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return undefined;
}
