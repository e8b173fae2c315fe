import type { Services } from './compose.ts';
import type { Mount } from './mount.ts';
import { mountAccount } from './routes/account.ts';
import { mountAgent } from './routes/agent.ts';
import { mountEvents } from './routes/events.ts';
import { mountChat } from './routes/chat.ts';
import { mountDaemon } from './routes/daemon.ts';
import { mountDocs } from './routes/docs.ts';
import { mountEmbeddings } from './routes/embeddings.ts';
import { mountEngines } from './routes/engines.ts';
import { mountImages } from './routes/images.ts';
import { mountCompletions } from './routes/completions.ts';
import { mountMessages } from './routes/messages.ts';
import { mountConversations } from './routes/conversations.ts';
import { mountTokenize } from './routes/tokenize.ts';
import { mountResponses } from './routes/responses.ts';
import { mountModeration } from './routes/moderation.ts';
import { mountRerank } from './routes/rerank.ts';
import { mountKeys } from './routes/keys.ts';
import { mountMemory } from './routes/memory.ts';
import { mountLibrary } from './routes/library.ts';
import { mountModels } from './routes/models.ts';
import { mountRootToken } from './routes/root-token.ts';
import { mountSessions } from './routes/sessions.ts';
import { mountTopup } from './routes/topup.ts';
import { mountWallet } from './routes/wallet.ts';
import { mountWebhookControl } from './routes/webhook-control.ts';
import { mountSpeech } from './routes/speech.ts';
import { mountTranscriptions } from './routes/transcriptions.ts';
import { mountTranslate } from './routes/translate.ts';
import { mountWebhooks } from './routes/webhooks.ts';
import { mountUpstreams } from './routes/upstreams.ts';

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
