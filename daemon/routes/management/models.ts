import { getModel, listModels, type Model } from '../../../src/api/management/models.ts';
import { Failure } from '../../../src/base/errors.ts';
import { unknownModel } from '../../../src/library/missing.ts';
import { findServiceModel, SERVICE_MODELS, type ServiceModel } from '../../../src/library/service-models.ts';
import type { ModelManifest, Task } from '../../../src/runtime/manifest.ts';
import type { Services } from '../../compose.ts';
import { localArtifact, localService } from '../../status/local-model.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { PreparedJson } from '../../http/prepared-json.ts';

const CREATED = Date.UTC(2026, 0, 1) / 1000;

export function registerModels(register: RegisterRoute, services: Services): void {
  const list = keepList(services);
  register(listModels, ({ reply }) => {
    void reply.header('cache-control', 'public, max-age=300');
    return Promise.resolve(new PreparedJson(list()));
  });

  register(getModel, ({ params }) => {
    const id = params['model_id'] ?? '';
    const service = findServiceModel(id);
    if (service) return withMissing(serviceRecord(service, services), services);
    const { library } = services;
    const artifact = library.findArtifact(id) ?? library.catalog.find((each) => each.id === id);
    if (artifact) return withMissing(named(id, artifactRecord(artifact, services)), services);
    throw unknownModel(id);
  });
}

/** The error of a request to it, so that a client can offer a fix first. */
function withMissing(model: Model, { library }: Services): Model {
  const { id, local } = model;
  const failures = [id, ...(local.fallbacks ?? [])].map((each) => {
    try {
      library.resolve(each);
    } catch (error) {
      return error instanceof Failure ? error : undefined;
    }
    return undefined;
  });
  const [first] = failures;
  if (first === undefined || failures.includes(undefined)) return model;
  const { code, message, details } = first;
  const fix = details['fix'];
  return {
    ...model,
    local: { ...local, missing: { code, message, ...(typeof fix === 'string' && { fix }) } },
  };
}

/** Files that appear or disappear without our doing are noticed after this long. */
const FILES_LOOK_EVERY_MS = 1000;

/** The list takes dozens of queries, so it is cached until a result could change. */
function keepList(services: Services): () => string {
  const { store, pool, clock } = services;
  let kept = { key: '', text: '' };
  return () => {
    const loaded = pool.status().map(({ artifact, state, bytes }) => [artifact, state, bytes]);
    const second = Math.floor(clock.now() / FILES_LOOK_EVERY_MS);
    const key = JSON.stringify([store.changes(), second, loaded]);
    if (key !== kept.key) kept = { key, text: JSON.stringify(toList(services)) };
    return kept.text;
  };
}

function toList(services: Services) {
  const { library } = services;
  const artifacts = [...library.artifacts(), ...library.adapted()].flatMap((artifact) =>
    recordsOf(artifact, services),
  );
  const data = [...SERVICE_MODELS.map((model) => serviceRecord(model, services)), ...artifacts];
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: 'list' as const, data, has_more: false, first_id: first, last_id: last };
}

function named(id: string, record: Model): Model {
  return { ...record, id, display_name: id };
}

function serviceRecord(model: ServiceModel, services: Services): Model {
  const { id, category, pricing, specifications } = model;
  const bound = services.library.boundArtifact(id);
  return {
    id,
    object: 'model',
    type: 'model',
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
    created: CREATED,
    owned_by: 'askd',
    category,
    version: '1.0.0',
    capabilities: capabilitiesOf(model, bound),
    pricing,
    specifications,
    status: 'active',
    local: { ...localService(id, services), ...methodOf(bound, model.task) },
  };
}

/** Under its own id, and under each of its aliases. */
function recordsOf(artifact: ModelManifest, services: Services): Model[] {
  const record = artifactRecord(artifact, services);
  return [record, ...services.library.aliasesOf(artifact.id).map((id) => named(id, record))];
}

/** An artifact under its own id is described and priced like the service model of its kind. */
function artifactRecord(artifact: ModelManifest, services: Services): Model {
  const kind =
    SERVICE_MODELS.find(({ task }) => task !== undefined && task === artifact.tasks[0]) ??
    findServiceModel(artifact.services[0] ?? '');
  if (!kind) throw new Error(`${artifact.id} serves no model of the catalogue`);
  return {
    ...named(artifact.id, serviceRecord(kind, services)),
    owned_by: artifact.tier === 'imported' ? 'local' : 'askd',
    capabilities: capabilitiesOf(kind, artifact),
    specifications: specificationsOf(artifact, services),
    local: localArtifact(artifact, services),
  };
}

/** Every chat model supports tools here: the engines enforce the schema of any model's calls. */
function capabilitiesOf({ capabilities }: ServiceModel, artifact?: ModelManifest): Record<string, boolean> {
  if (!('function_calling' in capabilities)) return capabilities;
  return { ...capabilities, function_calling: artifact?.tasks.includes('chat') ?? false };
}

function specificationsOf(artifact: ModelManifest, { contextOf }: Services): Record<string, number> {
  const { tasks, embedding } = artifact;
  if (tasks.includes('speak') || tasks.includes('transcribe')) return {};
  const { contextTokens: tokens } = contextOf(artifact);
  if (tasks.includes('chat')) return { context_window: tokens };
  return { max_tokens: tokens, ...(embedding && { output_dimensions: embedding.dimensions }) };
}

/** If a task can be done in several ways, the one that this artifact uses. */
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
