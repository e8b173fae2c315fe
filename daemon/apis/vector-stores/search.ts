import type { RankingOptions } from '../../../src/api/tasks/vector-stores.ts';
import type { FileSearch } from '../../../src/agent/vector-stores/search-files.ts';

type Asked = Pick<FileSearch, 'storeIds' | 'limit' | 'param' | 'filters'> & {
  ranking?: RankingOptions | undefined;
};

/** The ranking options of clients in our terms. */
export function toSearch({ ranking, ...asked }: Asked): Omit<FileSearch, 'queries'> {
  const { score_threshold: scoreMin, hybrid_search: hybrid } = ranking ?? {};
  const weights = hybrid && { words: hybrid.text_weight, vectors: hybrid.embedding_weight };
  return { ...asked, scoreMin, weights };
}
