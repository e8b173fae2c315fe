import {
  createVectorStore,
  deleteVectorStore,
  getVectorStore,
  listVectorStores,
  searchVectorStore,
  updateVectorStore,
  type VectorStoreUpdate,
} from '../../../src/api/tasks/vector-stores.ts';
import { page } from '../../../src/responses/items.ts';
import type { StoreOptions } from '../../../src/agent/vector-stores/stores.ts';
import { toNewFiles, toVectorStore } from '../../apis/vector-stores/records.ts';
import { toSearch } from '../../apis/vector-stores/search.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { toContext } from '../../http/served.ts';

const HITS = 10;

/** Vector stores. Each belongs to the key that created it. */
export function registerVectorStores(register: RegisterRoute, services: Services): void {
  const { vectorStores, files } = services;

  register(createVectorStore, ({ body, principal }) => {
    const { file_ids: ids = [], chunking_strategy: strategy } = body;
    const added = toNewFiles(files, { ids, principal, param: 'file_ids', strategy });
    const created = vectorStores.create(principal, optionsOf(body));
    vectorStores.files.add(created, added);
    if (added.length > 0) vectorStores.wake();
    return toVectorStore(vectorStores, created);
  });

  register(listVectorStores, ({ query, principal }) => {
    const stores = page(vectorStores.list(principal), query);
    return { ...stores, data: stores.data.map((each) => toVectorStore(vectorStores, each)) };
  });

  register(getVectorStore, ({ params: { id = '' }, principal }) =>
    toVectorStore(vectorStores, vectorStores.find(id, principal)),
  );

  register(updateVectorStore, ({ params: { id = '' }, body, principal }) => {
    vectorStores.find(id, principal);
    vectorStores.update(id, optionsOf(body));
    return toVectorStore(vectorStores, vectorStores.find(id, principal));
  });

  register(deleteVectorStore, ({ params: { id = '' }, principal }) => {
    vectorStores.remove(vectorStores.find(id, principal));
    return { id, object: 'vector_store.deleted' as const, deleted: true as const };
  });

  register(searchVectorStore, async (call) => {
    const { params, body, principal } = call;
    const queries = [body.query].flat();
    const { max_num_results: limit = HITS, filters, ranking_options: ranking } = body;
    const search = toSearch({
      stores: [{ id: params['id'] ?? '', param: 'id' }],
      ...{ limit, filters, ranking, principal },
    });
    const hits = await vectorStores.search({ ...search, queries }, toContext(call, services));
    return {
      object: 'vector_store.search_results.page' as const,
      search_query: queries,
      data: hits.map(({ fileId, name, score, attributes, text }) => ({
        ...{ file_id: fileId, filename: name, score, attributes },
        content: [{ type: 'text' as const, text }],
      })),
      has_more: false as const,
      next_page: null,
    };
  });
}

function optionsOf({ name, metadata, expires_after: expiry }: VectorStoreUpdate): StoreOptions {
  return {
    ...(name !== undefined && { name: name ?? '' }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    ...(expiry !== undefined && { expiresAfterDays: expiry?.days ?? null }),
  };
}
