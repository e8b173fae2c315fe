import type { Endpoint } from '../endpoint.ts';
import {
  cancelAccountBatch,
  getBatchResults,
  listAccountBatches,
  listBatchFailures,
} from '../management/batches.ts';
import { cancelBatch, createBatch, getBatch, listBatches } from './batches.ts';
import { deleteFile, getFile, getFileContent, listFiles, uploadFile } from './files.ts';
import {
  addVectorStoreFile,
  cancelVectorStoreBatch,
  createVectorStoreBatch,
  getVectorStoreBatch,
  getVectorStoreFile,
  getVectorStoreFileContent,
  listVectorStoreBatchFiles,
  listVectorStoreFiles,
  removeVectorStoreFile,
  updateVectorStoreFile,
} from './vector-store-files.ts';
import {
  createVectorStore,
  deleteVectorStore,
  getVectorStore,
  listVectorStores,
  searchVectorStore,
  updateVectorStore,
} from './vector-stores.ts';

/** Uploaded files, and the batches and vector stores made from them. */
export const FILE_ENDPOINTS: readonly Endpoint[] = [
  uploadFile,
  listFiles,
  getFile,
  deleteFile,
  getFileContent,
  createBatch,
  listBatches,
  getBatch,
  cancelBatch,
  listAccountBatches,
  cancelAccountBatch,
  listBatchFailures,
  getBatchResults,
  createVectorStore,
  listVectorStores,
  getVectorStore,
  updateVectorStore,
  deleteVectorStore,
  searchVectorStore,
  addVectorStoreFile,
  listVectorStoreFiles,
  getVectorStoreFile,
  updateVectorStoreFile,
  removeVectorStoreFile,
  getVectorStoreFileContent,
  createVectorStoreBatch,
  getVectorStoreBatch,
  cancelVectorStoreBatch,
  listVectorStoreBatchFiles,
];
