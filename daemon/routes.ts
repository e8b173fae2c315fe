import type { Services } from './compose.ts';
import type { RegisterRoute } from './http/register-route.ts';
import { registerAccounts } from './routes/account/accounts.ts';
import { registerAccount } from './routes/account/account.ts';
import { registerAudit } from './routes/account/audit.ts';
import { registerArchive } from './routes/management/archive.ts';
import { registerAdapters } from './routes/management/adapters.ts';
import { registerAdopt } from './routes/management/adopt.ts';
import { registerAgent } from './routes/tasks/agent.ts';
import { registerEvents } from './routes/management/events.ts';
import { registerBatchControl } from './routes/management/batches.ts';
import { registerBatches } from './routes/tasks/batches.ts';
import { registerChat } from './routes/chat/chat.ts';
import { registerChats } from './routes/chat/chats.ts';
import { registerCheck } from './routes/management/check.ts';
import { registerRecommend } from './routes/management/recommend.ts';
import { registerDaemon } from './routes/management/daemon.ts';
import { registerDevices } from './routes/management/devices.ts';
import { registerDocs } from './routes/management/docs.ts';
import { registerEmbeddings } from './routes/tasks/embeddings.ts';
import { registerEngines } from './routes/management/engines.ts';
import { registerFiles } from './routes/tasks/files.ts';
import { registerVectorStoreFiles } from './routes/tasks/vector-store-files.ts';
import { registerVectorStores } from './routes/tasks/vector-stores.ts';
import { registerImages } from './routes/tasks/images.ts';
import { registerCompletions } from './routes/chat/completions.ts';
import { registerMessages } from './routes/chat/messages.ts';
import { registerConversations } from './routes/chat/conversations.ts';
import { registerTokenize } from './routes/chat/tokenize.ts';
import { registerResponses } from './routes/chat/responses.ts';
import { registerModeration } from './routes/tasks/moderation.ts';
import { registerRerank } from './routes/tasks/rerank.ts';
import { registerKeys } from './routes/account/keys.ts';
import { registerMembers } from './routes/account/members.ts';
import { registerMemory } from './routes/management/memory.ts';
import { registerMcpServers } from './routes/management/mcp-servers.ts';
import { registerMcp } from './routes/tasks/mcp.ts';
import { registerCatalog } from './routes/management/catalog.ts';
import { registerLibrary } from './routes/management/library.ts';
import { registerModels } from './routes/management/models.ts';
import { registerOidc } from './routes/account/oidc.ts';
import { registerRootToken } from './routes/account/root-token.ts';
import { registerSessions } from './routes/account/sessions.ts';
import { registerTopup } from './routes/account/topup.ts';
import { registerUsage } from './routes/account/usage.ts';
import { registerWalletHistory } from './routes/account/wallet-history.ts';
import { registerWallet } from './routes/account/wallet.ts';
import { registerWebhookControl } from './routes/account/webhook-control.ts';
import { registerSettings } from './routes/management/settings.ts';
import { registerSimulations } from './routes/account/simulations.ts';
import { registerSpeech } from './routes/tasks/speech.ts';
import { registerTranscriptions } from './routes/tasks/transcriptions.ts';
import { registerTranslate } from './routes/tasks/translate.ts';
import { registerWebhooks } from './routes/account/webhooks.ts';
import { registerSnapshot } from './routes/management/snapshot.ts';
import { registerUpstreams } from './routes/management/upstreams.ts';

/** Registers every group of routes. */
export const ROUTES: readonly ((register: RegisterRoute, services: Services) => void)[] = [
  registerChat,
  registerCompletions,
  registerResponses,
  registerConversations,
  registerChats,
  registerTokenize,
  registerMessages,
  registerEmbeddings,
  registerModeration,
  registerRerank,
  registerTranslate,
  registerAgent,
  registerDocs,
  registerFiles,
  registerBatches,
  registerBatchControl,
  registerVectorStores,
  registerVectorStoreFiles,
  registerTranscriptions,
  registerSpeech,
  registerImages,
  registerMcp,
  registerMcpServers,
  registerModels,
  registerKeys,
  registerSimulations,
  registerSessions,
  registerOidc,
  registerRootToken,
  registerWallet,
  registerWalletHistory,
  registerUsage,
  registerTopup,
  registerAccount,
  registerAudit,
  registerAccounts,
  registerMembers,
  registerMemory,
  registerDevices,
  registerUpstreams,
  registerSnapshot,
  registerWebhooks,
  registerWebhookControl,
  registerDaemon,
  registerEvents,
  registerSettings,
  registerLibrary,
  registerCatalog,
  registerArchive,
  registerAdopt,
  registerAdapters,
  registerCheck,
  registerRecommend,
  registerEngines,
];
