import { Failure } from '../base/errors.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import { chooseArtifact, type Machine } from './choose-artifact.ts';
import { findServiceModel, SERVICE_MODELS } from './service-models.ts';
import { whyNotRunnable } from './runnable.ts';

export type Recommended = { service: string; artifact: ModelManifest; reason: string };

/** The best catalogue artifact for each service on this machine; for all services, unless some are named. */
export function recommend(
  named: readonly string[] | undefined,
  catalog: readonly ModelManifest[],
  machine: Machine,
): Recommended[] {
  const unknown = named?.find((service) => findServiceModel(service) === undefined);
  if (unknown !== undefined) {
    throw new Failure('invalid_value', `No service model is called "${unknown}".`, {
      param: 'services',
      details: { fix: 'askd models' },
    });
  }
  const wanted = named ?? SERVICE_MODELS.map(({ id }) => id).filter((id) => hasArtifact(id, catalog));
  return [...new Set(wanted)].map((service) => ({
    service,
    ...chooseArtifact({ service }, catalog, machine),
  }));
}

function hasArtifact(service: string, catalog: readonly ModelManifest[]): boolean {
  return catalog.some(
    (each) => each.hub && each.services.includes(service) && whyNotRunnable(each) === undefined,
  );
}
