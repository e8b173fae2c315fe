import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Events } from '../events/events.ts';
import { createMemory } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { UNLIMITED_PER_MINUTE } from '../base/unlimited.ts';

export const TIER_NAMES = ['free', 'developer', 'startup', 'enterprise'] as const;
export type TierName = (typeof TIER_NAMES)[number];

/** What an account may use. Without a monthly number, there is no monthly limit. */
export type Limits = { rpm: number; tpm: number; monthlyTokens?: number };

export type Tier = Limits & { name: TierName; freeTokens: number };

export type CustomLimits = { rpm?: number; tpm?: number; monthlyTokens?: number };

/**
 * The tiers of the contract. The free tier's tokens cost nothing; those of the others are paid from the wallet. The
 * owner sets the numbers of enterprise; without a number, there is no limit.
 */
export const TIERS: Readonly<Record<TierName, Tier>> = {
  free: { name: 'free', rpm: 10, tpm: 100_000, monthlyTokens: 100_000, freeTokens: 100_000 },
  developer: { name: 'developer', rpm: 100, tpm: 1_000_000, monthlyTokens: 5_000_000, freeTokens: 0 },
  startup: { name: 'startup', rpm: 500, tpm: 5_000_000, monthlyTokens: 25_000_000, freeTokens: 0 },
  enterprise: { name: 'enterprise', rpm: UNLIMITED_PER_MINUTE, tpm: UNLIMITED_PER_MINUTE, freeTokens: 0 },
};

type AccountRow = {
  profile: string;
  tier: TierName;
  rpm: number | null;
  tpm: number | null;
  monthly_tokens: number | null;
};

export type Tiers = ReturnType<typeof createTiers>;

/** The tier of each account. Kept in memory, since every request reads it and only `set` changes it. */
export function createTiers({ store, events, clock }: { store: Store; events: Events; clock: Clock }) {
  const known = createMemory<Tier>(store);

  function of(accountId: string): Tier {
    return known.get(accountId, () => read(accountId));
  }

  function read(accountId: string): Tier {
    const row = find(accountId);
    if (!row) throw new Error(`There is no account ${accountId}`);
    const { rpm, tpm, monthly_tokens: monthlyTokens } = row;
    return {
      ...TIERS[row.tier],
      ...(rpm !== null && { rpm }),
      ...(tpm !== null && { tpm }),
      ...(monthlyTokens !== null && { monthlyTokens }),
    };
  }

  function find(accountId: string): AccountRow | undefined {
    return store.prepare<AccountRow>('SELECT * FROM accounts WHERE id = ?').get(accountId);
  }

  /** Creates the account, or moves it to this profile. */
  function setProfile(accountId: string, profile: string): void {
    store.prepare(PUT_PROFILE).run({ accountId, profile, now: clock.now() });
  }

  function set(accountId: string, name: TierName, custom: CustomLimits = {}): Tier {
    refuseCustom(name, custom);
    const { rpm = null, tpm = null, monthlyTokens = null } = custom;
    store.transaction(() => {
      const before = find(accountId);
      store.prepare(PUT_TIER).run({ accountId, name, rpm, tpm, monthlyTokens });
      if (before && before.tier !== name) {
        events.record('subscription.updated', { tier: name, previous_tier: before.tier }, accountId);
      }
    });
    known.forget();
    return of(accountId);
  }

  return { of, set, setProfile, profileOf: (accountId: string) => find(accountId)?.profile };
}

function refuseCustom(name: TierName, custom: CustomLimits): void {
  if (name === 'enterprise' || Object.keys(custom).length === 0) return;
  throw new Failure(
    'invalid_value',
    `Only the tier enterprise has custom limits; "${name}" has fixed ones.`,
    { param: 'limits' },
  );
}

const PUT_PROFILE = `
  INSERT INTO accounts(id, profile, tier, created_at) VALUES(@accountId, @profile, 'free', @now)
  ON CONFLICT DO UPDATE SET profile = excluded.profile`;

const PUT_TIER = `
  UPDATE accounts SET tier = @name, rpm = @rpm, tpm = @tpm, monthly_tokens = @monthlyTokens WHERE id = @accountId`;
