import type { Principal } from '../../../src/access/keys.ts';
import type { RankingOptions } from '../../../src/api/tasks/vector-stores.ts';
import { ownsMachine } from '../../auth/roles.ts';
import type { FileSearch } from '../../../src/agent/vector-stores/search-files.ts';

type Asked = Pick<FileSearch, 'stores' | 'limit' | 'filters'> & {
  ranking?: RankingOptions | undefined;
  principal: Principal;
};

/** The clients' ranking options in our terms. As everywhere, the owner's documents require the scope admin. */
export function toSearch({ ranking, principal, ...asked }: Asked): Omit<FileSearch, 'queries'> {
  const { score_threshold: scoreMin, hybrid_search: hybrid } = ranking ?? {};
  const weights = hybrid && { words: hybrid.text_weight, vectors: hybrid.embedding_weight };
  return { ...asked, scoreMin, weights, seesCollections: ownsMachine(principal) };
}
