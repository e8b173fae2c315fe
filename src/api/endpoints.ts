import { ACCOUNT_ENDPOINTS } from './account/account-endpoints.ts';
import { auditLedger, getTier, setProfile, setTier } from './account/account.ts';
import { listAudit, verifyAudit } from './account/audit.ts';
import { createAudioTranslation, createSpeech, createTranscription } from './tasks/audio.ts';
import { cancelAgentRun, getAgentRun, listAgentRuns, runAgent, streamAgent } from './tasks/agent.ts';
import { deleteAgentSession, getAgentSession, listAgentSessions } from './tasks/agent-sessions.ts';
import { createChatCompletion } from './chat/chat.ts';
import {
  createChat,
  deleteChat,
  getChat,
  listChats,
  putChatMessage,
  searchChats,
  updateChat,
} from './management/chats.ts';
import { checkModel } from './management/check.ts';
import { recommendModels } from './management/recommend.ts';
import { addAdapter, listAdapters, removeAdapter } from './management/adapters.ts';
import { exportArchive, importArchive } from './management/archive.ts';
import { listDevices, placeModel } from './management/devices.ts';
import { adoptModels, listAdoptable } from './management/adopt.ts';
import { getActivity } from './management/activity.ts';
import { bindService, getStatus, importArtifact, listArtifacts, shutdown } from './management/daemon.ts';
import { estimateModel, listLoaded, loadModel, stopModel } from './management/memory.ts';
import { addDocs, listDocs, removeDocs, searchDocs, uploadDocs } from './management/docs.ts';
import { createEmbedding } from './tasks/embeddings.ts';
import { watchEvents } from './management/events.ts';
import { installEngine, listEngines, removeEngine } from './management/engines.ts';
import type { Endpoint } from './endpoint.ts';
import { health, healthAlias } from './management/health.ts';
import { metrics } from './management/metrics.ts';
import { createImage, getImage } from './tasks/images.ts';
import { createKey, deleteKey, listKeys, rotateKey, updateKey } from './account/keys.ts';
import {
  addAlias,
  cancelPull,
  diagnose,
  getPull,
  listPulls,
  pausePull,
  removeArtifact,
  resumePull,
  searchHub,
  startPull,
  watchPull,
} from './management/library.ts';
import { listCatalog, updateCatalog } from './management/catalog.ts';
import { createCompletion } from './chat/completions.ts';
import { countMessageTokens, createMessage } from './chat/messages.ts';
import {
  addMcpServer,
  allowMcpTools,
  beginMcpLogin,
  callMcpTool,
  endMcpLogin,
  finishMcpLogin,
  getMcpServer,
  inspectMcpServer,
  listMcpServers,
  removeMcpServer,
} from './management/mcp-servers.ts';
import { endMcpSession, postMcp } from './tasks/mcp.ts';
import { getModel, listModels } from './management/models.ts';
import { OLLAMA_ENDPOINTS } from './ollama/endpoints.ts';
import { createModeration, moderate } from './tasks/moderation.ts';
import {
  addConversationItems,
  createConversation,
  deleteConversation,
  deleteConversationItem,
  getConversation,
  getConversationItem,
  listConversationItems,
  updateConversation,
} from './chat/conversations.ts';
import {
  cancelResponse,
  countInputTokens,
  createResponse,
  deleteResponse,
  getResponse,
  listInputItems,
} from './chat/responses.ts';
import { addSimulation, listSimulations, removeSimulation } from './account/simulations.ts';
import { createRerank, rerankAliases } from './tasks/rerank.ts';
import {
  createLoginCode,
  createPlaygroundKey,
  createSession,
  deleteSession,
  deleteSessions,
  listSessions,
  login,
} from './account/sessions.ts';
import { beginOidcLogin, finishOidcLogin } from './account/oidc.ts';
import { FILE_ENDPOINTS } from './tasks/file-endpoints.ts';
import { getLimitsLeft, getRateLimit } from './account/rate-limit.ts';
import { rotateRootToken } from './account/root-token.ts';
import { openTopUp, receiveStripeEvent, topUp } from './account/topup.ts';
import { getWallet, getWalletSettings, putWalletSettings } from './account/wallet-settings.ts';
import { listSettings, putSetting, resetSetting } from './management/settings.ts';
import { takeSnapshot } from './management/snapshot.ts';
import { addUpstream } from './management/upstreams.ts';
import { getRequestUsage } from './account/request-usage.ts';
import { getUsage } from './account/usage.ts';
import { getBalance, listTransactions } from './account/wallet.ts';
import { exportTransactions, getWalletHistory, searchTransactions } from './account/wallet-history.ts';
import { getListenSecret, listenWebhooks, triggerWebhooks } from './account/webhook-control.ts';
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './account/webhooks.ts';
import { detokenize, detokenizeAtRoot, tokenize, tokenizeAtRoot } from './chat/tokenize.ts';
import { translate } from './tasks/translate.ts';

/** The whole HTTP contract. */
export const ENDPOINTS: readonly Endpoint[] = [
  createChatCompletion,
  createCompletion,
  tokenize,
  tokenizeAtRoot,
  detokenize,
  detokenizeAtRoot,
  createResponse,
  countInputTokens,
  getResponse,
  deleteResponse,
  cancelResponse,
  listInputItems,
  createConversation,
  getConversation,
  updateConversation,
  deleteConversation,
  listConversationItems,
  addConversationItems,
  getConversationItem,
  deleteConversationItem,
  createMessage,
  countMessageTokens,
  createEmbedding,
  createRerank,
  ...rerankAliases,
  moderate,
  createModeration,
  translate,
  runAgent,
  streamAgent,
  listAgentRuns,
  getAgentRun,
  cancelAgentRun,
  listAgentSessions,
  getAgentSession,
  deleteAgentSession,
  listDocs,
  addDocs,
  uploadDocs,
  searchDocs,
  removeDocs,
  ...FILE_ENDPOINTS,
  createTranscription,
  createAudioTranslation,
  createSpeech,
  createImage,
  getImage,
  postMcp,
  endMcpSession,
  listChats,
  createChat,
  searchChats,
  getChat,
  updateChat,
  putChatMessage,
  deleteChat,
  listMcpServers,
  addMcpServer,
  getMcpServer,
  inspectMcpServer,
  allowMcpTools,
  callMcpTool,
  beginMcpLogin,
  finishMcpLogin,
  endMcpLogin,
  removeMcpServer,
  listModels,
  getModel,
  listKeys,
  createKey,
  updateKey,
  rotateKey,
  deleteKey,
  listSimulations,
  addSimulation,
  removeSimulation,
  createLoginCode,
  login,
  beginOidcLogin,
  finishOidcLogin,
  createPlaygroundKey,
  createSession,
  listSessions,
  deleteSession,
  deleteSessions,
  rotateRootToken,
  takeSnapshot,
  getRateLimit,
  getLimitsLeft,
  getBalance,
  listTransactions,
  getUsage,
  getRequestUsage,
  topUp,
  receiveStripeEvent,
  getWallet,
  searchTransactions,
  exportTransactions,
  getWalletHistory,
  openTopUp,
  getWalletSettings,
  putWalletSettings,
  getTier,
  setTier,
  setProfile,
  ...ACCOUNT_ENDPOINTS,
  auditLedger,
  listAudit,
  verifyAudit,
  listWebhooks,
  getWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  resendDelivery,
  replayWebhook,
  listenWebhooks,
  getListenSecret,
  triggerWebhooks,
  getStatus,
  getActivity,
  listLoaded,
  loadModel,
  listDevices,
  placeModel,
  estimateModel,
  addUpstream,
  stopModel,
  listArtifacts,
  importArtifact,
  exportArchive,
  importArchive,
  listAdoptable,
  adoptModels,
  addAdapter,
  listAdapters,
  removeAdapter,
  bindService,
  checkModel,
  recommendModels,
  startPull,
  listPulls,
  getPull,
  watchPull,
  pausePull,
  resumePull,
  cancelPull,
  listCatalog,
  updateCatalog,
  removeArtifact,
  addAlias,
  searchHub,
  listEngines,
  installEngine,
  removeEngine,
  diagnose,
  shutdown,
  watchEvents,
  listSettings,
  putSetting,
  resetSetting,
  ...OLLAMA_ENDPOINTS,
  health,
  healthAlias,
  metrics,
];
