import { auditLedger, getTier, setProfile, setTier } from './account.ts';
import { createChatCompletion } from './chat.ts';
import {
  bindService,
  estimateModel,
  getStatus,
  health,
  importArtifact,
  listArtifacts,
  listLoaded,
  loadModel,
  shutdown,
  stopModel,
} from './daemon.ts';
import type { Endpoint } from './endpoint.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
import { getModel, listModels } from './models.ts';
import { getRateLimit } from './rate-limit.ts';
import { getBalance, listTransactions } from './wallet.ts';

/** The whole HTTP contract. */
export const ENDPOINTS: readonly Endpoint[] = [
  createChatCompletion,
  listModels,
  getModel,
  listKeys,
  createKey,
  deleteKey,
  getRateLimit,
  getBalance,
  listTransactions,
  getTier,
  setTier,
  setProfile,
  auditLedger,
  getStatus,
  listLoaded,
  loadModel,
  estimateModel,
  stopModel,
  listArtifacts,
  importArtifact,
  bindService,
  shutdown,
  health,
];
