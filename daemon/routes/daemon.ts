import {
  bindService,
  getStatus,
  health,
  importArtifact,
  listArtifacts,
  shutdown,
} from '../../src/api/daemon.ts';
import { toIso } from '../../src/clock.ts';
import { baseUrls } from '../../src/presence.ts';
import { version } from '../../src/version.ts';
import type { Services } from '../compose.ts';
import { toArtifact } from '../library-records.ts';
import type { Mount } from '../mount.ts';
import { loadedModels } from './memory.ts';

export function mountDaemon(mount: Mount, services: Services): void {
  const { library, keys, clock, settings, boot } = services;

  mount(health, () => ({ status: 'ok' as const, version }));

  mount(getStatus, ({ principal }) => ({
    version,
    pid: process.pid,
    home: settings.paths.home,
    ...baseUrls(boot.address()),
    boot_id: boot.id,
    started_at: toIso(boot.startedAt),
    uptime_seconds: (clock.now() - boot.startedAt) / 1000,
    memory_bytes: process.memoryUsage.rss(),
    active_keys: keys.countActive(principal.accountId),
    // Without the one that asks.
    requests_in_flight: boot.inFlight() - 1,
    models: loadedModels(services),
    tier: services.tiers.of(principal.accountId).name,
    wallet: services.wallet.balance(principal.accountId),
    notices: services.notices.list(principal.accountId),
    webhooks: services.webhooks.status(principal.accountId),
  }));

  mount(listArtifacts, () => ({
    artifacts: library.artifacts().map((artifact) => toArtifact(artifact, services)),
  }));

  mount(importArtifact, async ({ body }) => {
    const manifest = await library.importArtifact({
      id: body.id,
      path: body.path,
      projector: body.projector,
      mode: body.mode ?? 'link',
    });
    return toArtifact(manifest, services);
  });

  mount(bindService, ({ body }) => {
    library.bind(body.service, body.artifact);
    return body;
  });

  mount(shutdown, ({ reply }) => {
    reply.raw.once('finish', boot.requestStop);
    return { stopping: true as const };
  });
}
