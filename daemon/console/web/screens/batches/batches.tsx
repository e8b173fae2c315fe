import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { AccountBatch } from '../../../../../src/api/management/batches.ts';
import { call } from '../../data/api.ts';
import { Problem } from '../../parts/problem.tsx';
import { BatchDetail } from './batch-detail.tsx';
import { BatchForm } from './batch-form.tsx';
import { BatchList } from './batch-list.tsx';

/** The list, or with `?id=` one batch, so that a link leads to it. */
export function Batches() {
  const [search, setSearch] = useSearchParams();
  const { data, error } = useQuery({
    queryKey: ['batches'],
    queryFn: () => call<{ data: AccountBatch[] }>('GET', '/api/batches?limit=100'),
  });
  const open = (id: string | undefined) => setSearch(id === undefined ? {} : { id });
  const chosen = data?.data.find(({ id }) => id === search.get('id'));
  return (
    <>
      <Problem error={error} />
      {data && chosen === undefined && <All batches={data.data} onOpen={open} />}
      {chosen && <BatchDetail key={chosen.id} batch={chosen} onClose={() => open(undefined)} />}
    </>
  );
}

function All({ batches, onOpen }: { batches: readonly AccountBatch[]; onOpen: (id: string) => void }) {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className="row apart">
        <h1>Batches</h1>
        <button type="button" className="primary" onClick={() => setCreating(true)}>
          Create batch
        </button>
      </div>
      <p className="quiet">Files of requests, worked through in the background for half the price.</p>
      <BatchList batches={batches} onOpen={onOpen} />
      {isCreating && <BatchForm onDone={onOpen} onClose={() => setCreating(false)} />}
    </>
  );
}
