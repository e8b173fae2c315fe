import { describe, expect, test } from 'vitest';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { holdClock } from '../../../helpers/clock.ts';
import { startDaemon, type Reply } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

const UNLIMITED = 1_000_000_000;

const headersOf = ({ headers }: Reply) =>
  ['limit-rpm', 'remaining-rpm', 'limit-tpm'].map((name) => Number(headers[`x-ratelimit-${name}`]));

describe('the profile personal', () => {
  test('lets its owner send any number of requests, and the headers show the number', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const { rates } = daemon.services;
    for (let count = 0; count < 5000; count++) {
      rates.admit('acct_local', { promptTokens: 100_000, completionTokens: 0 });
    }
    const reply = await daemon.chat({});
    expect([reply.status, ...headersOf(reply)]).toEqual([200, UNLIMITED, UNLIMITED - 5001, UNLIMITED]);
  });

  test('lifts the limit of an account created earlier, and keeps one that its owner set', async () => {
    const { call, services } = await startDaemon();
    const { store, tiers } = services;
    const row = store.prepare('SELECT tier, rpm, tpm FROM accounts').get();
    expect(row).toEqual({ tier: 'enterprise', rpm: null, tpm: null });
    expect(tiers.of('acct_local')).toMatchObject({ rpm: UNLIMITED, tpm: UNLIMITED });
    await call('PUT', '/api/account/tier', { body: { tier: 'enterprise', rpm: 600 } });
    expect(headersOf(await call('GET', '/v1/models', { token: null }))).toEqual([600, 600, UNLIMITED]);
  });
});
