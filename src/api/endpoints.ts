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

/** The whole HTTP contract. */
export const ENDPOINTS: readonly Endpoint[] = [
  createChatCompletion,
  listModels,
  getModel,
  listKeys,
  createKey,
  deleteKey,
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
