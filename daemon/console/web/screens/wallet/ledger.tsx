import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Transaction } from '../../../../../src/api/account/wallet.ts';
import { call } from '../../data/api.ts';
import { Choice } from '../../parts/choice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { LedgerRows } from './ledger-rows.tsx';

const TYPES = { '': 'All', topup: 'Top-up', usage: 'Usage', refund: 'Refund', bonus: 'Bonus' };
const PAGE = 500;
const CHECK_MS = 5_000;
/** Keeps the page from searching for every letter. */
const TYPING_MS = 300;

type Filter = { type: keyof typeof TYPES; text: string; from: string; to: string };
type Page = { transactions: Transaction[]; next: string | null };

/** `balance` is the current one: if the newest row has a different one, there are newer rows. */
export function Ledger({ balance }: { balance: number }) {
  const queries = useQueryClient();
  const [filter, setFilter] = useState<Filter>({ type: '', text: '', from: '', to: '' });
  const wanted = useSettled(filter);
  const key = ['ledger', wanted];
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => call<Page>('GET', `/api/wallet/transactions?${queryOf(wanted, pageParam)}`),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  const rows = data?.pages.flatMap(({ transactions }) => transactions) ?? [];
  const isAll = wanted.type === '' && wanted.text === '' && wanted.to === '';
  const isBehind = isAll && data !== undefined && !isFetching && (rows[0]?.balance_after ?? 0) !== balance;
  const isShort = data?.pages.length === 1;
  const refresh = () => queries.resetQueries({ queryKey: key });
  useEffect(() => {
    if (!isBehind || !isShort) return;
    // On a busy daemon, the balance changes all the time.
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ['ledger'] }), CHECK_MS);
    return () => clearTimeout(timer);
  }, [isBehind, isShort, queries]);
  return (
    <section className="card" aria-label="Transactions">
      <h2>Transactions</h2>
      <Filters filter={filter} onChange={setFilter} />
      <Problem error={error} />
      {isBehind && !isShort && (
        <button type="button" onClick={() => void refresh()}>
          Show newer transactions
        </button>
      )}
      {data && (
        <LedgerRows
          rows={rows}
          hasMore={hasNextPage}
          isFetching={isFetching}
          onEnd={() => void fetchNextPage()}
        />
      )}
      <div className="row end">
        <a
          className="action plain"
          href={`/api/wallet/export?${queryOf(wanted)}`}
          download="transactions.csv"
        >
          Download CSV
        </a>
      </div>
    </section>
  );
}

function useSettled(filter: Filter): Filter {
  const [settled, setSettled] = useState(filter);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filter), TYPING_MS);
    return () => clearTimeout(timer);
  }, [filter]);
  return settled;
}

function queryOf({ type, text, from, to }: Filter, before?: string): URLSearchParams {
  return new URLSearchParams({
    ...(type && { type }),
    ...(text.trim() && { text: text.trim() }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(new Date(`${to}T00:00`).getTime() + 86_400_000).toISOString() }),
    ...(before !== undefined && { limit: `${PAGE}` }),
    ...(before && { before }),
  });
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const set = (part: Partial<Filter>) => onChange({ ...filter, ...part });
  return (
    <div className="row">
      <Choice label="Type" value={filter.type} options={TYPES} onChange={(type) => set({ type })} />
      <Field label="Text">
        <input
          type="search"
          className="inline"
          maxLength={200}
          placeholder="a model, an id"
          value={filter.text}
          onChange={(event) => set({ text: event.target.value })}
        />
      </Field>
      {(['from', 'to'] as const).map((name) => (
        <Field key={name} label={name === 'from' ? 'From' : 'To'}>
          <input
            type="date"
            className="inline"
            value={filter[name]}
            onChange={(event) => set({ [name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  );
}

function Field({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <label className="row">
      <span className="quiet small">{label}</span>
      {children}
    </label>
  );
}
