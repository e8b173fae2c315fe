import { Failure } from '../../base/errors.ts';
import { readsImages, type ModelManifest } from '../../runtime/manifest.ts';
import type { ServiceModel } from '../service-models.ts';

/** Throws unless the artifact does what the service model promises. */
export function checkFit(artifact: ModelManifest, { id, task, category, capabilities }: ServiceModel): void {
  if (!task || !(artifact.tasks.includes(task) || artifact.services.includes(id)))
    throw unfit(artifact, id, category);
  if (capabilities['vision'] && !readsImages(artifact)) throw blind(id, artifact.id);
}

function unfit({ id, tasks }: ModelManifest, service: string, category: string): Failure {
  const message = `"${id}" does ${tasks.join(', ')}; ${service} needs ${category}.`;
  return new Failure('model_capability_mismatch', message, { param: 'artifact' });
}

function blind(service: string, artifactId: string): Failure {
  return new Failure(
    'model_capability_mismatch',
    `"${artifactId}" does not accept images, which ${service} requires. Import it with its projector: askd import FILE --projector FILE`,
    { param: 'artifact' },
  );
}
