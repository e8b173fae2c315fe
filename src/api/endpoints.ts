import { auditLedger, getTier, setProfile, setTier } from './account.ts';
import { createChatCompletion } from './chat.ts';
import {
  bindService,
  getStatus,
  health,
  importArtifact,
  listArtifacts,
  listLoaded,
  shutdown,
  stopModel,
} from './daemon.ts';
import { createEmbedding } from './embeddings.ts';
import type { Endpoint } from './endpoint.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
import { getModel, listModels } from './models.ts';
import { createRerank } from './rerank.ts';
import {
  createLoginCode,
  createSession,
  deleteSession,
  deleteSessions,
  listSessions,
  login,
} from './sessions.ts';
import { getRateLimit } from './rate-limit.ts';
import { getBalance, listTransactions } from './wallet.ts';

/** The whole HTTP contract. */
export const ENDPOINTS: readonly Endpoint[] = [
  createChatCompletion,
  createEmbedding,
  createRerank,
  listModels,
  getModel,
  listKeys,
  createKey,
  deleteKey,
  createLoginCode,
  login,
  createSession,
  listSessions,
  deleteSession,
  deleteSessions,
  getRateLimit,
  getBalance,
  listTransactions,
  getTier,
  setTier,
  setProfile,
  auditLedger,
  getStatus,
  listLoaded,
  stopModel,
  listArtifacts,
  importArtifact,
  bindService,
  shutdown,
  health,
];
