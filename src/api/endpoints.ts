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
import type { Endpoint } from './endpoint.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
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
  examine,
  shutdown,
  health,
];
