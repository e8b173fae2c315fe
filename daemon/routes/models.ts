import { existsSync } from 'node:fs';
import { getModel, listModels, type LocalModel, type Model } from '../../src/api/models.ts';
import { Failure } from '../../src/errors.ts';
import { findServiceModel, SERVICE_MODELS, type ServiceModel } from '../../src/library/service-models.ts';
import type { ModelManifest, Task } from '../../src/runtime/manifest.ts';
import type { PlaceState } from '../../src/runtime/place.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';

const CREATED = Date.UTC(2026, 0, 1) / 1000;

export function mountModels(mount: Mount, services: Services): void {
  mount(listModels, ({ reply }) => {
    void reply.header('cache-control', 'public, max-age=300');
    const artifacts = services.library.artifacts().map((artifact) => artifactRecord(artifact, services));
    return {
      object: 'list' as const,
      data: [...SERVICE_MODELS.map((model) => serviceRecord(model, services)), ...artifacts],
    };
  });

  mount(getModel, ({ params }) => {
    const id = params['model_id'] ?? '';
    const service = findServiceModel(id);
    if (service) return serviceRecord(service, services);
    const artifact = services.library.findArtifact(id);
    if (artifact) return artifactRecord(artifact, services);
    throw new Failure(
      'model_not_found',
      `The model \`${id}\` does not exist. See what there is: askd models`,
      {
        param: 'model',
      },
    );
  });
}

function serviceRecord(model: ServiceModel, services: Services): Model {
  const { id, category, capabilities, pricing, specifications } = model;
  const bound = services.library.boundArtifact(id);
  return {
    id,
    object: 'model',
    created: CREATED,
    owned_by: 'askd',
    category,
    version: '1.0.0',
    capabilities,
    pricing,
    specifications,
    status: 'active',
    local: { ...localState(bound, services), ...methodOf(bound, model.task) },
  };
}

/** An artifact under its own id is described and priced as the service model of its kind. */
function artifactRecord(artifact: ModelManifest, services: Services): Model {
  const kind = SERVICE_MODELS.find(({ task }) => task === artifact.tasks[0]);
  if (!kind) throw new Error(`${artifact.id} is for nothing that the catalogue has`);
  return {
    ...serviceRecord(kind, services),
    id: artifact.id,
    owned_by: artifact.tier === 'imported' ? 'local' : 'askd',
    specifications: specificationsOf(artifact, services),
    local: localState(artifact, services),
  };
}

function specificationsOf(
  { tasks, contextTokensMax, embedding }: ModelManifest,
  { settings }: Services,
): Record<string, number> {
  const tokens = Math.min(contextTokensMax, settings.modelContextTokens);
  if (tasks.includes('chat')) return { context_window: tokens };
  return { max_tokens: tokens, ...(embedding && { output_dimensions: embedding.dimensions }) };
}

/** Where a task can be done in several ways, the one that this artifact takes. */
function methodOf(artifact: ModelManifest | undefined, task: Task | undefined): { method?: string } {
  if (!artifact) return {};
  if (task === 'rerank') {
    return { method: artifact.tasks.includes('embed') ? 'embedding_cosine' : 'cross_encoder' };
  }
  if (task === 'translate') return { method: artifact.tasks.includes('chat') ? 'chat' : 'translation_model' };
  if (task !== 'moderate') return {};
  if (artifact.moderation?.labels) return { method: 'classifier' };
  return { method: artifact.tasks.includes('chat') ? 'chat_questions' : 'guard' };
}

function localState(artifact: ModelManifest | undefined, { pool, settings }: Services): LocalModel {
  if (!artifact) {
    const nothing = {
      artifact: null,
      engine: null,
      bytes: null,
      licence: null,
      memory_bytes: null,
      context_tokens: null,
    };
    return { state: 'not_installed', ...nothing };
  }
  const loaded = pool.status().find((entry) => entry.artifact === artifact.id);
  return {
    state: loaded ? loadedState(loaded) : storedState(artifact),
    artifact: artifact.id,
    engine: artifact.engine,
    bytes: artifact.bytes,
    licence: artifact.licence,
    memory_bytes: loaded?.bytes ?? null,
    context_tokens:
      loaded?.context_tokens ?? Math.min(artifact.contextTokensMax, settings.modelContextTokens),
    ...(artifact.notice !== undefined && { notice: artifact.notice }),
  };
}

function storedState({ path }: ModelManifest): 'ready' | 'not_installed' {
  return existsSync(path) ? 'ready' : 'not_installed';
}

function loadedState({ state }: { state: PlaceState | 'waiting' }): 'loading' | 'loaded' {
  return state === 'loaded' || state === 'leaving' ? 'loaded' : 'loading';
}
