import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestUsage } from '../../../../src/api/account/request-usage.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { Client } from '../../../client/client.ts';

/** A request is recorded a moment after its answer has ended. */
const WAITS_MS = [0, 50, 200, 1_000];

export type Costs = ReturnType<typeof createCosts>;

/** What the requests of a run cost, as the daemon recorded it, and the limit on all of them. */
export function createCosts(owner: Client, most: number) {
  let spent: number | null = null;
  let isKnown = true;
  let hasReported = false;

  async function of(requestId: string | undefined): Promise<number | null> {
    if (!isKnown || requestId === undefined) return null;
    for (const waitMs of WAITS_MS) {
      await sleep(waitMs);
      try {
        const { credits } = await owner.http.call(getRequestUsage, { params: { id: requestId } });
        hasReported = true;
        return add(credits);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // Another server reports it only to its owner.
        if (error.kind.status === 404) continue;
        isKnown = false;
        return null;
      }
    }
    // A server that never reported one keeps no such record, so nothing waits for it again.
    isKnown = hasReported;
    return null;
  }

  function add(credits: number): number {
    spent = (spent ?? 0) + credits;
    return credits;
  }

  return {
    of,
    add,
    /** Null if the server does not report it. */
    spent: () => spent,
    isExhausted: () => (spent ?? 0) >= most,
  };
}
