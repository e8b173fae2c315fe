import {
  auditLedger,
  getTier,
  setProfile,
  setTier,
  type ProfileChange,
  type TierChange,
} from '../../src/api/account/account.ts';
import { auditCalls } from './audit-calls.ts';
import { createChatCompletion, type ChatCompletionRequest } from '../../src/api/chat/chat.ts';
import { tokenize } from '../../src/api/chat/tokenize.ts';
import { getActivity } from '../../src/api/management/activity.ts';
import {
  bindService,
  getStatus,
  listArtifacts,
  shutdown,
  type Binding,
} from '../../src/api/management/daemon.ts';
import {
  estimateModel,
  listLoaded,
  loadModel,
  stopModel,
  type LoadRequest,
} from '../../src/api/management/memory.ts';
import { watchEvents, type Topic } from '../../src/api/management/events.ts';
import {
  createKey,
  deleteKey,
  listKeys,
  rotateKey,
  updateKey,
  type CreateApiKeyRequest,
  type RotateApiKeyRequest,
  type UpdateApiKeyRequest,
} from '../../src/api/account/keys.ts';
import { listCatalog, updateCatalog } from '../../src/api/management/catalog.ts';
import {
  addAlias,
  cancelPull,
  diagnose,
  listPulls,
  pausePull,
  resumePull,
  removeArtifact,
  searchHub,
  startPull,
  watchPull,
  type PullRequest,
} from '../../src/api/management/library.ts';
import { checkModel, type CheckRequest } from '../../src/api/management/check.ts';
import { recommendModels, type RecommendRequest } from '../../src/api/management/recommend.ts';
import {
  installEngine,
  listEngines,
  removeEngine,
  type EngineRequest,
} from '../../src/api/management/engines.ts';
import { metrics } from '../../src/api/management/metrics.ts';
import { createEmbedding, type EmbeddingRequest } from '../../src/api/tasks/embeddings.ts';
import { health } from '../../src/api/management/health.ts';
import { createImage, type ImageRequest } from '../../src/api/tasks/images.ts';
import { getModel, listModels } from '../../src/api/management/models.ts';
import {
  createLoginCode,
  createSession,
  deleteSession,
  deleteSessions,
  listSessions,
} from '../../src/api/account/sessions.ts';
import { moderate, type ModerationRequest } from '../../src/api/tasks/moderation.ts';
import { rotateRootToken } from '../../src/api/account/root-token.ts';
import { topUp, type TopUpRequest } from '../../src/api/account/topup.ts';
import { getUsage, type UsageQuery } from '../../src/api/account/usage.ts';
import { getBalance, listTransactions, type TransactionQuery } from '../../src/api/account/wallet.ts';
import {
  getWalletSettings,
  putWalletSettings,
  type WalletSettingsRequest,
} from '../../src/api/account/wallet-settings.ts';
import { accountCalls } from './account-calls.ts';
import { memberCalls } from './member-calls.ts';
import { chatCalls } from './chat-calls.ts';
import { simulationCalls } from './simulation-calls.ts';
import { createRerank, type RerankRequest } from '../../src/api/tasks/rerank.ts';
import { translate, type TranslateRequest } from '../../src/api/tasks/translate.ts';
import { takeSnapshot } from '../../src/api/management/snapshot.ts';
import { addUpstream, type UpstreamRequest } from '../../src/api/management/upstreams.ts';
import { localModelCalls } from './local-model-calls.ts';
import { createHttp, type Call, type Http, type Target } from '../../src/api/http/http.ts';
import { soundCalls } from '../tasks/audio/calls.ts';
import { mcpCalls } from '../agent/mcp/calls.ts';
import { agentCalls } from '../agent/calls.ts';
import { webhookCalls } from '../webhooks/calls.ts';

/** A model may have to load, or a file to be copied, before the first byte. */
const SLOW_SILENCE_MS_MAX = 15 * 60_000;
/** A live daemon answers these at once, but the machine may be busy. */
const PROBE_SILENCE_MS_MAX = 5_000;
/** The daemon sends something every second, or at least a ping every 15 seconds. */
const EVENTS_SILENCE_MS_MAX = 20_000;

const probe = { silenceMsMax: PROBE_SILENCE_MS_MAX, maxRetries: 0 };
const slow = { silenceMsMax: SLOW_SILENCE_MS_MAX };
/** The dashboard reconnects by itself, and says so. */
const live = { silenceMsMax: EVENTS_SILENCE_MS_MAX, maxRetries: 0 };

export type Client = ReturnType<typeof createClient>;
type Options = { signal?: AbortSignal; maxRetries?: number };
type ChatRequestOptions = Options & { showPrompt?: boolean };
type EventsQuery = { topics?: readonly Topic[]; replay?: number; lastEventId?: string };

/** The HTTP client of the command line, with one method per endpoint. */
export function createClient(target: Target, signal: AbortSignal) {
  const http = createHttp(target, signal);
  const { call, stream, messages, bytes } = http;
  return {
    /** For callers that choose the endpoints themselves. */
    http,
    health: () => call(health, probe),
    ...{
      ...{ chats: chatCalls(http), audit: auditCalls(http, slow) },
      webhooks: webhookCalls(http),
      simulations: simulationCalls(http),
      agent: agentCalls(http),
      mcp: mcpCalls(http),
      sound: soundCalls(http, slow),
    },
    status: () => call(getStatus),
    activity: () => call(getActivity),
    metrics: () => textOf(bytes(metrics)),
    shutdown: () => call(shutdown, probe),
    events: ({ lastEventId, ...query }: EventsQuery, options: Options = {}) =>
      messages(watchEvents, {
        query,
        ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
        ...live,
        ...options,
      }),
    models: () => call(listModels),
    model: (id: string) => call(getModel, { params: { model_id: id } }),
    artifacts: () => call(listArtifacts),
    loaded: () => call(listLoaded),
    load: (body: LoadRequest) => call(loadModel, { body, ...slow }),
    estimate: (model: string) => call(estimateModel, { body: { model } }),
    addUpstream: (body: UpstreamRequest) => call(addUpstream, { body }),
    stop: (model: string) => call(stopModel, { body: { model }, ...slow }),
    ...localModelCalls(http, slow),
    bind: (body: Binding) => call(bindService, { body }),
    startPull: (body: PullRequest) => call(startPull, { body, ...slow }),
    pulls: () => call(listPulls),
    pullEvents: (id: string) => stream(watchPull, { params: { id } }),
    pausePull: (id: string) => call(pausePull, { params: { id } }),
    resumePull: (id: string) => call(resumePull, { params: { id } }),
    cancelPull: (id: string) => call(cancelPull, { params: { id } }),
    catalog: () => call(listCatalog),
    updateCatalog: () => call(updateCatalog, slow),
    remove: (body: { model: string; force?: boolean }) => call(removeArtifact, { body, ...slow }),
    addAlias: (body: { model: string; alias: string }) => call(addAlias, { body }),
    search: (text: string) => call(searchHub, { body: { text }, ...slow }),
    checkModel: (body: CheckRequest) => stream(checkModel, { body, ...slow }),
    recommend: (body: RecommendRequest) => call(recommendModels, { body, ...slow }),
    engines: () => call(listEngines),
    installEngine: (name: string, body: EngineRequest) =>
      stream(installEngine, { params: { name }, body, ...slow }),
    removeEngine: (name: string) => call(removeEngine, { params: { name }, ...slow }),
    examine: (body: { hashes?: boolean }) => call(diagnose, { body, ...slow }),
    snapshot: () => call(takeSnapshot, slow),
    rotateRootToken: () => call(rotateRootToken),
    balance: () => call(getBalance),
    transactions: (query: TransactionQuery) => call(listTransactions, { query }),
    usage: (query: UsageQuery) => call(getUsage, { query }),
    topUp: (body: TopUpRequest) => call(topUp, { body }),
    walletSettings: () => call(getWalletSettings),
    setWalletSettings: (body: WalletSettingsRequest) => call(putWalletSettings, { body }),
    tier: () => call(getTier),
    setTier: (body: TierChange) => call(setTier, { body }),
    setProfile: (body: ProfileChange) => call(setProfile, { body }),
    auditLedger: () => call(auditLedger, slow),
    ...accessCalls(http),
    ...inferenceCalls(http),
  };
}

async function textOf(parts: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString('utf8');
}

/** Accounts, API keys and sessions. */
function accessCalls(http: Http) {
  const { call } = http;
  return {
    accounts: accountCalls(http),
    members: memberCalls(http),
    listKeys: () => call(listKeys),
    createKey: (body: CreateApiKeyRequest) => call(createKey, { body }),
    updateKey: (id: string, body: UpdateApiKeyRequest) => call(updateKey, { params: { id }, body }),
    rotateKey: (id: string, body: RotateApiKeyRequest) => call(rotateKey, { params: { id }, body }),
    deleteKey: (id: string) => call(deleteKey, { params: { id } }),
    createLoginCode: () => call(createLoginCode),
    createSession: () => call(createSession),
    listSessions: () => call(listSessions),
    deleteSession: (id: string) => call(deleteSession, { params: { id } }),
    deleteSessions: () => call(deleteSessions),
  };
}

/** Inference. */
function inferenceCalls({ call, open, stream }: Http) {
  const slow = { silenceMsMax: SLOW_SILENCE_MS_MAX };
  return {
    chat: (body: ChatCompletionRequest, options: ChatRequestOptions = {}) =>
      call(createChatCompletion, { body, ...slow, ...chatRequestOptions(options) }),
    countTokens: async (model: string, content: string) =>
      (await call(tokenize, { body: { model, content, parse_special: false }, ...slow })).count,
    embed: (body: EmbeddingRequest, retries: Pick<Call, 'maxRetries' | 'maxRetryWaitMs'> = {}) =>
      call(createEmbedding, { body, ...slow, ...retries }),
    moderate: (body: ModerationRequest) => call(moderate, { body, ...slow }),
    translate: (body: TranslateRequest) => call(translate, { body, ...slow }),
    imageEvents: (body: ImageRequest) => stream(createImage, { body: { ...body, stream: true }, ...slow }),
    rerankEvents: (body: RerankRequest) => stream(createRerank, { body: { ...body, stream: true }, ...slow }),
    /** With the headers of the answer, which identify the request. */
    openChat: (body: ChatCompletionRequest, options: ChatRequestOptions = {}) =>
      open(createChatCompletion, {
        body: { ...body, stream: true },
        ...slow,
        ...chatRequestOptions(options),
      }),
  };
}

function chatRequestOptions({ showPrompt, ...options }: ChatRequestOptions) {
  return { ...options, ...(showPrompt && { headers: { 'x-askd-debug': 'prompt' } }) };
}
