import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import { findServiceModel } from '../library/service-models.ts';
import type { ModelManifest, Task } from '../runtime/manifest.ts';
import type { Attempt } from './metered.ts';

/** The name of a task in messages, and its service model. */
const TASKS: Record<Exclude<Task, 'chat'>, { noun: string; service: string }> = {
  embed: { noun: 'embeddings', service: 'svc-embed-v1' },
  rerank: { noun: 'reranking', service: 'svc-rerank-v1' },
  moderate: { noun: 'moderation', service: 'svc-moderation-v1' },
  translate: { noun: 'translation', service: 'svc-translate-v1' },
  transcribe: { noun: 'transcription', service: 'svc-whisper-v1' },
  speak: { noun: 'speech', service: 'svc-tts-v1' },
  draw: { noun: 'images', service: 'svc-image-v1' },
};

/** The artifact behind a model name, which must support this task. */
export function resolveFor(
  library: Library,
  { model, task, attempt }: { model: string; task: keyof typeof TASKS; attempt?: Attempt | undefined },
): ModelManifest {
  const service = findServiceModel(model);
  if (service && service.task !== task) throw mismatch(model, service.category, task);
  const manifest = library.resolve(attempt?.artifact ?? model);
  if (!manifest.tasks.includes(task)) throw mismatch(model, manifest.tasks.join(', '), task);
  return manifest;
}

function mismatch(model: string, does: string, task: keyof typeof TASKS): Failure {
  const { noun, service } = TASKS[task];
  return new Failure(
    'model_capability_mismatch',
    `The model \`${model}\` is for ${does}, not for ${noun}. Use ${service}, or an imported model for ${noun}.`,
    { param: 'model' },
  );
}
