import type { Status } from '../../src/api/management/daemon.ts';
import { toIso } from '../../src/base/clock.ts';
import { toCredits } from '../../src/base/money.ts';
import { baseUrls } from '../../src/base/presence.ts';
import { version } from '../../src/base/version.ts';
import type { Services } from '../compose.ts';
import { loadedModels } from '../routes/management/memory.ts';

/** The daemon's activity, without requests that only watch it. */
export function describeStatus(services: Services, accountId: string, lookingOn: number): Status {
  const { boot, clock, settings, keys, metered } = services;
  const { requests, generatedTokens, paidN } = metered.totals();
  return {
    version,
    pid: process.pid,
    home: settings.paths.home,
    ...baseUrls(boot.address()),
    boot_id: boot.id,
    started_at: toIso(boot.startedAt),
    uptime_seconds: (clock.now() - boot.startedAt) / 1000,
    memory_bytes: process.memoryUsage.rss(),
    active_keys: keys.countActive(accountId),
    requests_in_flight: Math.max(0, boot.inFlight() - lookingOn),
    served: { requests, generated_tokens: generatedTokens, spent: toCredits(paidN) },
    ignored_parameters: services.ignoredCounts.list(),
    models: loadedModels(services),
    tier: services.tiers.of(accountId).name,
    wallet: services.wallet.balance(accountId),
    notices: services.notices.list(accountId),
    webhooks: services.webhooks.status(accountId),
  };
}
