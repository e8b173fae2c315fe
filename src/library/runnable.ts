import { AVAILABLE_ENGINES, type ModelManifest } from '../runtime/manifest.ts';
import { SERVICE_MODELS } from './service-models.ts';

/** Why this askd cannot run an artifact although its files may be here; undefined when it can. */
export function whyNotRunnable({
  engine,
  tasks,
}: Pick<ModelManifest, 'engine' | 'tasks'>): string | undefined {
  if (!AVAILABLE_ENGINES.includes(engine)) return `this askd has no engine "${engine}"`;
  const served = SERVICE_MODELS.map(({ task }) => task);
  if (tasks.some((task) => served.includes(task))) return undefined;
  return `no engine of this askd supports ${tasks.join(' or ')} yet`;
}
