import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Store } from '../../store/store.ts';
import { modelNotFound, unknownModel } from '../missing.ts';
import { findServiceModel, type ServiceModel } from '../service-models.ts';
import { checkFit } from './check-fit.ts';

const FALLBACKS_MAX = 8;

type Parts = {
  store: Store;
  clock: Clock;
  findArtifact: (name: string) => ModelManifest | undefined;
  /** The artifact of a service: the one that somebody chose, or the starter. */
  boundArtifact: (service: string) => ModelManifest | undefined;
  canRun: (artifact: ModelManifest) => boolean;
};

/** Which artifact serves a service model, and which ones stand in while it cannot. */
export function createBindings({ store, clock, findArtifact, boundArtifact, canRun }: Parts) {
  function bind(service: string, artifactId: string): void {
    const model = findService(service);
    const { id } = fitting(artifactId, model);
    store.transaction(() => {
      store
        .prepare('INSERT OR REPLACE INTO bindings(service, artifact_id, created_at) VALUES(?, ?, ?)')
        .run(service, id, clock.now());
      store.prepare('DELETE FROM fallbacks WHERE service = ? AND artifact_id = ?').run(service, id);
    });
  }

  /** Replaces the fallbacks of a service, which are tried in this order. */
  function setFallbacks(service: string, names: readonly string[]): void {
    const model = findService(service);
    if (model.task === 'embed' && names.length > 0) throw incomparable(service);
    if (names.length > FALLBACKS_MAX) throw tooMany(service);
    const ids = new Set(names.map((name) => fitting(name, model).id));
    const bound = boundId(service);
    if (bound !== undefined && ids.has(bound)) throw ownFallback(service, bound);
    store.transaction(() => {
      store.prepare('DELETE FROM fallbacks WHERE service = ?').run(service);
      for (const [position, id] of [...ids].entries())
        store
          .prepare('INSERT INTO fallbacks(service, artifact_id, position, created_at) VALUES(?, ?, ?, ?)')
          .run(service, id, position, clock.now());
    });
  }

  function fitting(name: string, model: ServiceModel): ModelManifest {
    const artifact = findArtifact(name);
    if (!artifact) throw unknownModel(name, 'artifact');
    checkFit(artifact, model);
    return artifact;
  }

  const boundId = (service: string): string | undefined =>
    store.prepare<{ artifact_id: string }>('SELECT artifact_id FROM bindings WHERE service = ?').get(service)
      ?.artifact_id;

  const fallbacksOf = (service: string): string[] =>
    store
      .prepare<{ artifact_id: string }>(
        'SELECT artifact_id FROM fallbacks WHERE service = ? ORDER BY position',
      )
      .all(service)
      .map(({ artifact_id }) => artifact_id);

  /** The artifacts that may serve a model, best first; empty for a model without fallbacks. */
  function candidatesFor(model: string): string[] {
    const fallbacks = fallbacksOf(model);
    if (fallbacks.length === 0) return [];
    const bound = boundArtifact(model)?.id;
    return bound === undefined ? fallbacks : [bound, ...fallbacks.filter((id) => id !== bound)];
  }

  return {
    bind,
    boundId,
    setFallbacks,
    fallbacksOf,
    candidatesFor,
    /** The best candidate whose files are here; undefined for a model without fallbacks. */
    firstRunnable: (model: string): string | undefined =>
      candidatesFor(model).find((id) => {
        const artifact = findArtifact(id);
        return artifact !== undefined && canRun(artifact);
      }),
    /** The services that an artifact is a fallback of. */
    fallbackFor: (artifactId: string): string[] =>
      store
        .prepare<{ service: string }>('SELECT service FROM fallbacks WHERE artifact_id = ? ORDER BY service')
        .all(artifactId)
        .map(({ service }) => service),
    /** Removes an artifact that is being deleted. */
    forget: (artifactId: string): void => {
      store.prepare('DELETE FROM bindings WHERE artifact_id = ?').run(artifactId);
      store.prepare('DELETE FROM fallbacks WHERE artifact_id = ?').run(artifactId);
    },
  };
}

function findService(id: string): ServiceModel {
  const model = findServiceModel(id);
  if (!model) throw modelNotFound(id, 'service');
  return model;
}

function incomparable(service: string): Failure {
  return new Failure(
    'model_capability_mismatch',
    `${service} cannot have a fallback: the vectors of two models cannot be compared. Give the model a second server instead: askd upstream add`,
    { param: 'fallbacks' },
  );
}

function tooMany(service: string): Failure {
  return new Failure('invalid_value', `${service} can have at most ${FALLBACKS_MAX} fallbacks.`, {
    param: 'fallbacks',
  });
}

function ownFallback(service: string, id: string): Failure {
  return new Failure('invalid_value', `"${id}" serves ${service} already; its fallback is another model.`, {
    param: 'fallbacks',
  });
}
