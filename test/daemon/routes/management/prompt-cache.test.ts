import { describe, expect, test } from 'vitest';
import type { LoadedModel } from '../../../../src/api/management/memory.ts';
import { toNano } from '../../../../src/base/money.ts';
import { ensureAccount } from '../../../../daemon/profile.ts';
import { daemonWith, eventually } from '../../../helpers/daemon/chat.ts';
import { randomModel } from '../../../helpers/models/models.ts';

const LONG = 'Once upon a time there was a king who had three daughters. '.repeat(8);
const ENV = { ASKD_MODEL_SLOTS: '1', ASKD_MODEL_CONTEXT_TOKENS: '2048' };

async function openDaemon(env: Record<string, string> = {}) {
  const daemon = await daemonWith({ m: await randomModel('llama', { seed: 9 }) }, { ...ENV, ...env });
  const { call, sdk } = daemon;
  /** Sends a conversation and returns how much of it was cached. */
  async function cachedTokensOf(name: string, key?: string): Promise<number> {
    const as = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
    const messages = [{ role: 'user' as const, content: `My name is ${name}. ${LONG}` }];
    const { usage } = await sdk.chat.completions.create({ model: 'm', messages, max_tokens: 1 }, as);
    return usage?.prompt_tokens_details?.cached_tokens ?? Number.NaN;
  }
  async function loaded(): Promise<LoadedModel | undefined> {
    return (await call('GET', '/api/daemon/ps')).json<{ models: LoadedModel[] }>().models[0];
  }
  return { ...daemon, cachedTokensOf, loaded };
}

describe('conversations that take turns on one slot', () => {
  test('are cached, as usage and ps show, and are lost in a crash', { timeout: 120_000 }, async () => {
    const { cachedTokensOf, loaded } = await openDaemon();
    expect([await cachedTokensOf('Ada'), await cachedTokensOf('Bob')].every((tokens) => tokens < 32)).toBe(
      true,
    );
    expect(await cachedTokensOf('Ada')).toBeGreaterThan(LONG.length * 0.9);
    // The runner reports what its cache holds with its next heartbeat.
    await eventually(loaded).toMatchObject({ prompt_cache: { entries: 1, hits: 1 } });
    const full = await loaded();
    expect(full?.prompt_cache?.bytes).toBeLessThanOrEqual(full?.prompt_cache?.bytes_max ?? 0);
    process.kill(full?.pid ?? 0, 'SIGKILL');
    await eventually(loaded).toBeUndefined();
    expect(await cachedTokensOf('Ada')).toBe(0);
    expect((await loaded())?.prompt_cache).toMatchObject({ entries: 0, hits: 0 });
  });

  test('are not cached if prompt_cache_bytes is 0', { timeout: 120_000 }, async () => {
    const { cachedTokensOf, loaded } = await openDaemon({ ASKD_PROMPT_CACHE_BYTES: '0' });
    for (const name of ['Ada', 'Bob', 'Ada', 'Bob']) expect(await cachedTokensOf(name)).toBeLessThan(32);
    expect((await loaded())?.prompt_cache).toMatchObject({ bytes: 0, bytes_max: 0, entries: 0 });
  });
});

test(
  'one account of a hosted daemon does not learn what another one sent',
  { timeout: 120_000 },
  async () => {
    const { cachedTokensOf, services } = await openDaemon({ ASKD_PROFILE: 'hosted' });
    const [mine, others] = ['acct_one', 'acct_other'].map((accountId) => {
      ensureAccount(services, accountId, 'hosted');
      services.wallet.credit({
        ...{ accountId, type: 'bonus', amountN: toNano(100), description: 'A present' },
        ...{ refType: 'test', refId: accountId },
      });
      return services.keys.create({ accountId, name: 'test', scopes: ['chat'], expiresAt: null }).key;
    });
    await cachedTokensOf('Ada', mine);
    await cachedTokensOf('Bob', mine);
    expect(await cachedTokensOf('Ada', others)).toBe(0);
    // What it shares with its previous request: the beginning of the template.
    expect(await cachedTokensOf('Bob', others)).toBeLessThan(32);
    expect(await cachedTokensOf('Ada', mine)).toBeGreaterThan(LONG.length * 0.9);
  },
);
