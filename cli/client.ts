import { createChatCompletion, type ChatCompletion, type ChatCompletionRequest } from '../src/api/chat.ts';
import {
  bindService,
  getStatus,
  health,
  importArtifact,
  listArtifacts,
  listLoaded,
  shutdown,
  stopModel,
  type Artifact,
  type Binding,
  type ImportRequest,
  type LoadedModel,
  type Status,
} from '../src/api/daemon.ts';
import {
  createKey,
  deleteKey,
  listKeys,
  type ApiKey,
  type CreateApiKeyRequest,
  type CreatedApiKey,
} from '../src/api/keys.ts';
import { getModel, listModels, type Model, type ModelList } from '../src/api/models.ts';
import { createHttp, type Target } from './http.ts';

/** A model may have to be read from disk, or a file copied, before the first byte comes. */
const SLOW_SILENCE_MS_MAX = 15 * 60_000;
const PROBE_SILENCE_MS_MAX = 2_000;

export type Client = ReturnType<typeof createClient>;
type Options = { signal?: AbortSignal };

/** What the command line asks of a server, one method for each endpoint. */
export function createClient(target: Target, signal: AbortSignal) {
  const { call, stream } = createHttp(target, signal);
  const slow = { silenceMsMax: SLOW_SILENCE_MS_MAX };
  return {
    health: () => call<{ version: string }>(health, { silenceMsMax: PROBE_SILENCE_MS_MAX }),
    status: () => call<Status>(getStatus),
    shutdown: () => call<{ stopping: true }>(shutdown),
    models: () => call<ModelList>(listModels),
    model: (id: string) => call<Model>(getModel, { params: { model_id: id } }),
    artifacts: () => call<{ artifacts: Artifact[] }>(listArtifacts),
    loaded: () => call<{ models: LoadedModel[] }>(listLoaded),
    stop: (model: string) => call<{ stopped: boolean }>(stopModel, { body: { model }, ...slow }),
    importFile: (body: ImportRequest) => call<Artifact>(importArtifact, { body, ...slow }),
    bind: (body: Binding) => call<Binding>(bindService, { body }),
    listKeys: () => call<ApiKey[]>(listKeys),
    createKey: (body: CreateApiKeyRequest) => call<CreatedApiKey>(createKey, { body }),
    deleteKey: (id: string) => call<{ success: true }>(deleteKey, { params: { id } }),
    chat: (body: ChatCompletionRequest, options: Options = {}) =>
      call<ChatCompletion>(createChatCompletion, { body, ...slow, ...options }),
    chatEvents: (body: ChatCompletionRequest, options: Options = {}) =>
      stream(createChatCompletion, { body: { ...body, stream: true }, ...slow, ...options }),
  };
}
