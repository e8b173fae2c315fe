import { getActivity } from '../../../src/api/management/activity.ts';
import {
  bindService,
  getStatus,
  importArtifact,
  listArtifacts,
  shutdown,
} from '../../../src/api/management/daemon.ts';
import { health, healthAlias } from '../../../src/api/management/health.ts';
import { version } from '../../../src/base/version.ts';
import type { Services } from '../../compose.ts';
import { toArtifact } from '../../status/library-records.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { describeStatus } from '../../status/status.ts';

export function registerDaemon(register: RegisterRoute, services: Services): void {
  const { library, boot } = services;

  register(health, () => ({ status: 'ok' as const, version, boot_id: boot.id }));

  register(healthAlias, () => ({ status: 'ok' as const }));

  // Without this request.
  register(getStatus, ({ principal }) => describeStatus(services, principal.accountId, boot.watching() + 1));

  register(getActivity, () => ({ samples: services.activity.samples() }));

  register(listArtifacts, () => ({
    artifacts: library.artifacts().map((artifact) => toArtifact(artifact, services)),
  }));

  register(importArtifact, async ({ body }) => {
    const manifest = await library.importArtifact({
      id: body.id,
      path: body.path,
      projector: body.projector,
      mode: body.mode ?? 'link',
      engine: body.engine,
    });
    return toArtifact(manifest, services);
  });

  register(bindService, ({ body }) => {
    const { service, artifact, draft, fallbacks } = body;
    services.store.transaction(() => {
      library.bind(service, artifact);
      if (draft !== undefined) library.bindDraft(artifact, draft || undefined);
      if (fallbacks !== undefined) library.setFallbacks(service, fallbacks);
    });
    const drafting = library.findArtifact(artifact)?.draft;
    const kept = library.fallbacksOf(service);
    return {
      service,
      artifact,
      ...(drafting && { draft: drafting.id }),
      ...(kept.length > 0 && { fallbacks: kept }),
    };
  });

  register(shutdown, ({ reply }) => {
    reply.raw.once('finish', boot.requestStop);
    return { stopping: true as const };
  });
}
