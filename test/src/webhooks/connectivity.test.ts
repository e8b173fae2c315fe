import { expect, test } from 'vitest';
import { createConnectivity } from '../../../src/webhooks/connectivity.ts';

const lost = { status: null, error: 'dns_unavailable' as const };
const answered = { status: 500, error: null };
const HOUR = 3_600_000;

function onNetwork(hasNetwork = true) {
  return createConnectivity({ hasNetwork: () => hasNetwork });
}

test('without a network no failure counts, however long it lasts', () => {
  const connectivity = onNetwork(false);
  expect([0, 1, 48 * HOUR].map((at) => connectivity.counts('a', lost, at))).toEqual([false, false, false]);
  expect(connectivity.isOffline).toBe(true);
});

test('several receivers that cannot be found are this machine’s fault until one of them answers', () => {
  const connectivity = onNetwork();
  connectivity.counts('a', lost, 0);
  for (let at = 0; at < 48 * HOUR; at += 60_000) {
    expect(connectivity.counts('a', lost, at)).toBe(false);
    expect(connectivity.counts('b', lost, at)).toBe(false);
  }
  expect(connectivity.counts('b', answered, 48 * HOUR)).toBe(true);
  expect(connectivity.isOffline).toBe(false);
  expect(connectivity.counts('a', lost, 48 * HOUR + 1)).toBe(true);
});

test('one that cannot be found while another answers is itself at fault', () => {
  const connectivity = onNetwork();
  connectivity.counts('a', lost, 0);
  connectivity.counts('b', answered, 1);
  expect(connectivity.counts('a', lost, 2)).toBe(true);
});

test('a lone receiver that cannot be found has the benefit of the doubt for an hour', () => {
  const connectivity = onNetwork();
  expect(connectivity.counts('a', lost, 0)).toBe(false);
  expect(connectivity.counts('a', lost, HOUR - 1)).toBe(false);
  expect(connectivity.counts('a', lost, HOUR)).toBe(true);
});

test.each(['connection_refused', 'timeout', 'tls_failed', 'dns_not_found'] as const)('%s counts', (error) => {
  expect(onNetwork().counts('a', { status: null, error }, 0)).toBe(true);
});
