import { auditLedger, getTier, setProfile, setTier } from './account.ts';
import { createAudioTranslation, createSpeech, createTranscription } from './audio.ts';
import {
  cancelAgentRun,
  deleteAgentSession,
  getAgentRun,
  getAgentSession,
  listAgentRuns,
  listAgentSessions,
  runAgent,
  streamAgent,
} from './agent.ts';
import { createChatCompletion } from './chat.ts';
import { bindService, getStatus, importArtifact, listArtifacts, shutdown } from './daemon.ts';
import { estimateModel, listLoaded, loadModel, stopModel } from './memory.ts';
import { addDocs, listDocs, removeDocs, searchDocs } from './docs.ts';
import { createEmbedding } from './embeddings.ts';
import { watchEvents } from './events.ts';
import { installEngine, listEngines, removeEngine } from './engines.ts';
import type { Endpoint } from './endpoint.ts';
import { health, healthAlias } from './health.ts';
import { createImage, getImage } from './images.ts';
import { createKey, deleteKey, listKeys, rotateKey, updateKey } from './keys.ts';
import {
  addAlias,
  cancelPull,
  examine,
  getPull,
  listCatalog,
  listPulls,
  removeArtifact,
  searchHub,
  startPull,
  watchPull,
} from './library.ts';
import { createCompletion } from './completions.ts';
import { countMessageTokens, createMessage } from './messages.ts';
import { getModel, listModels } from './models.ts';
import { OLLAMA_ENDPOINTS } from './ollama/endpoints.ts';
import { createModeration, moderate } from './moderation.ts';
import {
  addConversationItems,
  createConversation,
  deleteConversation,
  deleteConversationItem,
  getConversation,
  getConversationItem,
  listConversationItems,
  updateConversation,
} from './conversations.ts';
import {
  cancelResponse,
  countInputTokens,
  createResponse,
  deleteResponse,
  getResponse,
  listInputItems,
} from './responses.ts';
import { createRerank, rerankAliases } from './rerank.ts';
import {
  createLoginCode,
  createSession,
  deleteSession,
  deleteSessions,
  listSessions,
  login,
} from './sessions.ts';
import { getRateLimit } from './rate-limit.ts';
import { rotateRootToken } from './root-token.ts';
import { receiveStripeEvent, topUp } from './topup.ts';
import { getWallet, getWalletSettings, putWalletSettings } from './wallet-settings.ts';
import { addUpstream } from './upstreams.ts';
import { getBalance, listTransactions } from './wallet.ts';
import { getListenSecret, listenWebhooks, triggerWebhooks } from './webhook-control.ts';
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
} from './webhooks.ts';
import { detokenize, detokenizeAtRoot, tokenize, tokenizeAtRoot } from './tokenize.ts';
import { translate } from './translate.ts';

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
  searchDocs,
  removeDocs,
  createTranscription,
  createAudioTranslation,
  createSpeech,
  createImage,
  getImage,
  listModels,
  getModel,
  listKeys,
  createKey,
  updateKey,
  rotateKey,
  deleteKey,
  createLoginCode,
  login,
  createSession,
  listSessions,
  deleteSession,
  deleteSessions,
  rotateRootToken,
  getRateLimit,
  getBalance,
  listTransactions,
  topUp,
  receiveStripeEvent,
  getWallet,
  getWalletSettings,
  putWalletSettings,
  getTier,
  setTier,
  setProfile,
  auditLedger,
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
  listLoaded,
  loadModel,
  estimateModel,
  addUpstream,
  stopModel,
  listArtifacts,
  importArtifact,
  bindService,
  startPull,
  listPulls,
  getPull,
  watchPull,
  cancelPull,
  listCatalog,
  removeArtifact,
  addAlias,
  searchHub,
  listEngines,
  installEngine,
  removeEngine,
  examine,
  shutdown,
  watchEvents,
  ...OLLAMA_ENDPOINTS,
  health,
  healthAlias,
];
