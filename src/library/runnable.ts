import { existsSync } from 'node:fs';
import { AVAILABLE_ENGINES, type EngineName, type ModelManifest } from '../runtime/manifest.ts';
import { changeOf } from './adopt/change.ts';
import { engineMissing, obstacleText, type Obstacle } from './missing.ts';
import { SERVICE_MODELS } from './service-models.ts';

/** Why this askd cannot run an artifact even if its files are here; undefined if it can. */
export function whyNotRunnable({
  engine,
  tasks,
}: Pick<ModelManifest, 'engine' | 'tasks'>): string | undefined {
  if (!AVAILABLE_ENGINES.includes(engine)) return `this askd has no engine "${engine}"`;
  const served = SERVICE_MODELS.map(({ task }) => task);
  if (tasks.some((task) => served.includes(task))) return undefined;
  return `no engine of this askd supports ${tasks.join(' or ')} yet`;
}

/** Whether all its files are here, unchanged. */
export function isPresent(manifest: ModelManifest): boolean {
  const { path, files = {}, adapters = [] } = manifest;
  const all = [path, ...Object.values(files), ...adapters.map((adapter) => adapter.path)];
  return all.every((file) => existsSync(file)) && changeOf(manifest) === undefined;
}

type Parts = { engineObstacle: (engine: EngineName) => Obstacle | undefined };

/** What prevents an artifact with all its files from running. */
export function createObstacles({ engineObstacle }: Parts) {
  function find(artifact: ModelManifest): Obstacle | undefined {
    const why = whyNotRunnable(artifact);
    return why === undefined ? engineObstacle(artifact.engine) : { why };
  }

  return {
    canRun: (artifact: ModelManifest): boolean => isPresent(artifact) && find(artifact) === undefined,

    obstacleTo: (artifact: ModelManifest): string | undefined => {
      const obstacle = find(artifact);
      return obstacle && obstacleText(obstacle);
    },

    /** The artifact, unless it cannot be run. */
    runnable: (model: string, artifact: ModelManifest): ModelManifest => {
      const obstacle = find(artifact);
      if (obstacle) throw engineMissing(obstacle, model);
      return artifact;
    },
  };
}
