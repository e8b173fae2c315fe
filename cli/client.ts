import { createChatCompletion, type ChatCompletionRequest } from '../src/api/chat.ts';
import {
  bindService,
  getStatus,
  health,
  importArtifact,
  listArtifacts,
  listLoaded,
  shutdown,
  stopModel,
  type Binding,
  type ImportRequest,
} from '../src/api/daemon.ts';
import { createKey, deleteKey, listKeys, type CreateApiKeyRequest } from '../src/api/keys.ts';
import { getModel, listModels } from '../src/api/models.ts';
import { createHttp, type Target } from './http.ts';

/** A model may have to be read from disk, or a file copied, before the first byte comes. */
const SLOW_SILENCE_MS_MAX = 15 * 60_000;
const PROBE_SILENCE_MS_MAX = 2_000;

export type Client = ReturnType<typeof createClient>;

/** What the command line asks of a server, one method for each endpoint. */
export function createClient(target: Target, signal: AbortSignal) {
  const http = createHttp(target, signal);
  return {
    target,
    health: () => http.call(health, { silenceMsMax: PROBE_SILENCE_MS_MAX }),
    status: () => http.call(getStatus),
    shutdown: () => http.call(shutdown),
    models: () => http.call(listModels),
    model: (id: string) => http.call(getModel, { params: { model_id: id } }),
    artifacts: () => http.call(listArtifacts),
    loaded: () => http.call(listLoaded),
    stop: (model: string) => http.call(stopModel, { body: { model }, silenceMsMax: SLOW_SILENCE_MS_MAX }),
    importFile: (body: ImportRequest) =>
      http.call(importArtifact, { body, silenceMsMax: SLOW_SILENCE_MS_MAX }),
    bind: (body: Binding) => http.call(bindService, { body }),
    listKeys: () => http.call(listKeys),
    createKey: (body: CreateApiKeyRequest) => http.call(createKey, { body }),
    deleteKey: (id: string) => http.call(deleteKey, { params: { id } }),
    chat: (body: ChatCompletionRequest, options: { signal?: AbortSignal } = {}) =>
      http.call(createChatCompletion, { body, silenceMsMax: SLOW_SILENCE_MS_MAX, ...options }),
    chatEvents: (body: ChatCompletionRequest, options: { signal?: AbortSignal } = {}) =>
      http.stream(createChatCompletion, {
        body: { ...body, stream: true },
        silenceMsMax: SLOW_SILENCE_MS_MAX,
        ...options,
      }),
  };
}
