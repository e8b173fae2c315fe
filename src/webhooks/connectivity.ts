import { networkInterfaces } from 'node:os';
import type { AttemptResult } from './retry.ts';

export type Connectivity = ReturnType<typeof createConnectivity>;

/** How long failures of a single unreachable receiver are blamed on the network. */
const DOUBT_MS = 3_600_000;
/** How long another receiver's failure is still relevant. */
const NEWS_MS = 600_000;

/** These errors come from the receiver or its network: this machine itself is online. */
const ANSWERS: readonly AttemptResult['error'][] = [
  'connection_refused',
  'connection_reset',
  'tls_failed',
  'protocol_error',
];

/**
 * Tells a receiver that is down from a machine that is offline: a laptop without a network must not use up the
 * attempts of its receivers. The machine counts as offline if it has no network at all, if several receivers are
 * unreachable and none has answered since, or, for an hour, if there is only one receiver.
 */
export function createConnectivity({ hasNetwork = anyInterface }: { hasNetwork?: () => boolean } = {}) {
  const lost = new Map<string, { since: number; at: number }>();
  let lastAnswerAt = -Infinity;
  let isOffline = false;

  function isMachinesFault(host: string, now: number): boolean {
    const since = lost.get(host)?.since ?? now;
    lost.set(host, { since, at: now });
    if (!hasNetwork()) return true;
    const isAnotherLost = [...lost].some(
      ([other, { at }]) => other !== host && at > lastAnswerAt && now - at < NEWS_MS,
    );
    if (isAnotherLost) return true;
    return since > lastAnswerAt && now - since < DOUBT_MS;
  }

  return {
    get isOffline() {
      return isOffline;
    },
    /** Whether this attempt counts. */
    counts(host: string, { status, error }: Pick<AttemptResult, 'status' | 'error'>, now: number): boolean {
      if (error === 'network_unreachable' || error === 'dns_unavailable') {
        isOffline = isMachinesFault(host, now);
        return !isOffline;
      }
      if (status !== null || ANSWERS.includes(error)) {
        lost.delete(host);
        lastAnswerAt = now;
        isOffline = false;
      }
      return true;
    },
  };
}

function anyInterface(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}
