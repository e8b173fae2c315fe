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
  type VectorStoreBatchRequest,
} from '../../../src/api/tasks/vector-store-files.ts';
import type { Principal } from '../../../src/access/keys.ts';
import { page } from '../../../src/responses/items.ts';
import type { StoreFile } from '../../../src/agent/vector-stores/store-files.ts';
import type { VectorStore } from '../../../src/agent/vector-stores/stores.ts';
import { toBatch, toNewFiles, toStoreFile } from '../../apis/vector-stores/records.ts';
import type { Services } from '../../compose.ts';
import { invalid } from '../../http/required.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';

/** How long client packages wait before they poll again. */
const POLL_MS = 500;

/** The files of vector stores, which are indexed in the background. */
export function registerVectorStoreFiles(register: RegisterRoute, services: Services): void {
  const { vectorStores } = services;
  const storeOf = ({
    params: { id = '' },
    principal,
  }: Pick<Call<typeof getVectorStoreFile>, 'params' | 'principal'>) => vectorStores.find(id, principal);

  register(addVectorStoreFile, (call) => {
    const { body, principal } = call;
    const { file_id: id, attributes, chunking_strategy: strategy } = body;
    const store = storeOf(call);
    const added = toNewFiles(services.files, {
      ids: [id],
      principal,
      param: 'file_id',
      attributes,
      strategy,
    });
    vectorStores.files.add(store, added);
    vectorStores.touch(store.id);
    vectorStores.wake();
    return toStoreFile(vectorStores, store, vectorStores.files.find(store, id));
  });

  register(listVectorStoreFiles, (call) => {
    const store = storeOf(call);
    return listed(services, store, { files: vectorStores.files.list(store), query: call.query });
  });

  register(getVectorStoreFile, (call) => {
    const store = storeOf(call);
    const file = vectorStores.files.find(store, call.params['file_id'] ?? '');
    void call.reply.header('openai-poll-after-ms', POLL_MS);
    return toStoreFile(vectorStores, store, file);
  });

  register(updateVectorStoreFile, (call) => {
    const store = storeOf(call);
    const file = vectorStores.files.find(store, call.params['file_id'] ?? '');
    vectorStores.files.setAttributes(file, call.body.attributes ?? {});
    return toStoreFile(vectorStores, store, vectorStores.files.find(store, file.fileId));
  });

  register(removeVectorStoreFile, (call) => {
    const store = storeOf(call);
    const { fileId } = vectorStores.files.find(store, call.params['file_id'] ?? '');
    vectorStores.files.remove(store, fileId);
    return { id: fileId, object: 'vector_store.file.deleted' as const, deleted: true as const };
  });

  register(getVectorStoreFileContent, (call) => {
    const store = storeOf(call);
    const { fileId } = vectorStores.files.find(store, call.params['file_id'] ?? '');
    const texts = vectorStores.textsOf(store.collectionId, fileId);
    return {
      object: 'vector_store.file_content.page' as const,
      data: texts.map((text) => ({ type: 'text' as const, text })),
      has_more: false as const,
      next_page: null,
    };
  });

  registerBatches(register, services);
}

function registerBatches(register: RegisterRoute, services: Services): void {
  const { vectorStores } = services;

  register(createVectorStoreBatch, ({ params: { id = '' }, body, principal }) => {
    const store = vectorStores.find(id, principal);
    const added = filesOf(services, body, principal);
    const batchId = vectorStores.files.batches.create(store);
    vectorStores.files.add(store, added, batchId);
    vectorStores.touch(id);
    vectorStores.wake();
    return toBatch(vectorStores, store, vectorStores.files.batches.find(store, batchId));
  });

  const batchOf = ({ params, principal }: { params: Record<string, string>; principal: Principal }) => {
    const store = vectorStores.find(params['id'] ?? '', principal);
    return { store, batch: vectorStores.files.batches.find(store, params['batch_id'] ?? '') };
  };

  register(getVectorStoreBatch, (call) => {
    const { store, batch } = batchOf(call);
    void call.reply.header('openai-poll-after-ms', POLL_MS);
    return toBatch(vectorStores, store, batch);
  });

  register(cancelVectorStoreBatch, (call) => {
    vectorStores.files.batches.cancel(batchOf(call).batch.id);
    const { store, batch } = batchOf(call);
    return toBatch(vectorStores, store, batch);
  });

  register(listVectorStoreBatchFiles, (call) => {
    const { store, batch } = batchOf(call);
    return listed(services, store, { files: vectorStores.files.list(store, batch.id), query: call.query });
  });
}

function filesOf({ files }: Services, body: VectorStoreBatchRequest, principal: Principal) {
  const { file_ids: ids = [], files: single = [], attributes, chunking_strategy: strategy } = body;
  if ((ids.length === 0) === (single.length === 0))
    throw invalid('file_ids', 'Give either "file_ids" or "files".');
  const together = toNewFiles(files, { ids, principal, param: 'file_ids', attributes, strategy });
  const each = single.flatMap((one, place) =>
    toNewFiles(files, {
      ...{ ids: [one.file_id], principal, param: `files[${place}].file_id` },
      ...{ attributes: one.attributes, strategy: one.chunking_strategy },
    }),
  );
  return [...together, ...each];
}

type Listing = { files: readonly StoreFile[]; query: Call<typeof listVectorStoreFiles>['query'] };

function listed({ vectorStores }: Services, store: VectorStore, { files, query }: Listing) {
  const { filter, ...place } = query;
  const wanted = files.filter(({ status }) => filter === undefined || status === filter);
  const listing = page(
    wanted.map((file) => ({ id: file.fileId, file })),
    place,
  );
  return { ...listing, data: listing.data.map(({ file }) => toStoreFile(vectorStores, store, file)) };
}
