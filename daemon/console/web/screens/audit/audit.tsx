import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditRecord } from '../../../../../src/api/account/audit.ts';
import { call } from '../../data/api.ts';
import { Problem } from '../../parts/problem.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilter, NO_FILTER, type Filter } from './audit-filter.tsx';
import { AuditList } from './audit-list.tsx';

const RECORDS_PER_PAGE = 50;
const PATH = '/api/audit';

type Page = { records: AuditRecord[]; has_more: boolean };

/** Who changed what, newest first. */
export function Audit() {
  const [filter, setFilter] = useState(NO_FILTER);
  const [shown, setShown] = useState<AuditRecord>();
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => call<Page>('GET', `${PATH}?${queryOf(filter, pageParam)}`),
    initialPageParam: 0,
    getNextPageParam: ({ records, has_more: hasMore }) => (hasMore ? records.at(-1)?.seq : undefined),
  });
  const records = data?.pages.flatMap((page) => page.records);
  return (
    <>
      <h1>Audit log</h1>
      <p className="quiet">
        Who changed what, and from where. <code>askd audit --verify</code> shows whether anybody has edited
        the log.
      </p>
      <AuditFilter filter={filter} onChange={setFilter} />
      <Problem error={error} />
      {records && <AuditList records={records} onOpen={setShown} />}
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          Show older records
        </button>
      )}
      {shown && <AuditDetail record={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function queryOf(filter: Filter, before: number): string {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...given, ['limit', String(RECORDS_PER_PAGE)]]);
  if (before > 0) query.set('before', String(before));
  return query.toString();
}
