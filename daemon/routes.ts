import type { Services } from './compose.ts';
import type { Mount } from './http/register-route.ts';
import { mountAccount } from './routes/account/account.ts';
import { mountAgent } from './routes/tasks/agent.ts';
import { mountEvents } from './routes/management/events.ts';
import { mountChat } from './routes/chat/chat.ts';
import { mountDaemon } from './routes/management/daemon.ts';
import { mountDocs } from './routes/management/docs.ts';
import { mountEmbeddings } from './routes/tasks/embeddings.ts';
import { mountEngines } from './routes/management/engines.ts';
import { mountImages } from './routes/tasks/images.ts';
import { mountCompletions } from './routes/chat/completions.ts';
import { mountMessages } from './routes/chat/messages.ts';
import { mountConversations } from './routes/chat/conversations.ts';
import { mountTokenize } from './routes/chat/tokenize.ts';
import { mountResponses } from './routes/chat/responses.ts';
import { mountModeration } from './routes/tasks/moderation.ts';
import { mountRerank } from './routes/tasks/rerank.ts';
import { mountKeys } from './routes/account/keys.ts';
import { mountMemory } from './routes/management/memory.ts';
import { mountLibrary } from './routes/management/library.ts';
import { mountModels } from './routes/management/models.ts';
import { mountRootToken } from './routes/account/root-token.ts';
import { mountSessions } from './routes/account/sessions.ts';
import { mountTopup } from './routes/account/topup.ts';
import { mountWallet } from './routes/account/wallet.ts';
import { mountWebhookControl } from './routes/account/webhook-control.ts';
import { mountSpeech } from './routes/tasks/speech.ts';
import { mountTranscriptions } from './routes/tasks/transcriptions.ts';
import { mountTranslate } from './routes/tasks/translate.ts';
import { mountWebhooks } from './routes/account/webhooks.ts';
import { mountUpstreams } from './routes/management/upstreams.ts';

/** Every group of routes on the server. */
export const ROUTES: readonly ((mount: Mount, services: Services) => void)[] = [
  mountChat,
  mountCompletions,
  mountResponses,
  mountConversations,
  mountTokenize,
  mountMessages,
  mountEmbeddings,
  mountModeration,
  mountRerank,
  mountTranslate,
  mountAgent,
  mountDocs,
  mountTranscriptions,
  mountSpeech,
  mountImages,
  mountModels,
  mountKeys,
  mountSessions,
  mountRootToken,
  mountWallet,
  mountTopup,
  mountAccount,
  mountMemory,
  mountUpstreams,
  mountWebhooks,
  mountWebhookControl,
  mountDaemon,
  mountEvents,
  mountLibrary,
  mountEngines,
];
