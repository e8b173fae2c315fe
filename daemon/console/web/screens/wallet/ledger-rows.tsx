import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { Transaction } from '../../../../../src/api/account/wallet.ts';
import { credits, moment } from '../../data/format.ts';

const ROW_PX = 42;
const NARROW_ROW_PX = 64;
const NARROW = '(max-width: 46rem)';
/** More rows are fetched when fewer than this are left below. */
const MARGIN_ROWS = 60;
const HEIGHT_PX_MAX = 520;

type Props = {
  rows: readonly Transaction[];
  hasMore: boolean;
  isFetching: boolean;
  onEnd: () => void;
};

/** Only visible rows are in the page, however many there are. */
export function LedgerRows({ rows, hasMore, isFetching, onEnd }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isNarrow] = useState(() => matchMedia(NARROW).matches);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_PX : ROW_PX),
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isAtEnd = hasMore && !isFetching && last >= rows.length - MARGIN_ROWS;
  useEffect(() => {
    if (isAtEnd) onEnd();
    // Not `onEnd`, which is a different function each time.
  }, [isAtEnd, rows.length]);
  if (rows.length === 0) return <p className="quiet">{isFetching ? 'Searching…' : 'No transactions.'}</p>;
  return (
    <div
      ref={place}
      className={isNarrow ? 'ledger narrow' : 'ledger'}
      role="table"
      aria-label="Transactions"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      tabIndex={0}
      style={{ height: Math.min(HEIGHT_PX_MAX, virtual.getTotalSize() + ROW_PX + 2) }}
    >
      <div className="head" role="row" aria-rowindex={1}>
        <span role="columnheader">When</span>
        <span role="columnheader">Type</span>
        <span role="columnheader">What</span>
        <span role="columnheader">Credits</span>
        <span role="columnheader">Balance after</span>
      </div>
      <div role="rowgroup" className="body" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <LedgerRow key={key} row={rows[index]} index={index} start={start} />
        ))}
      </div>
    </div>
  );
}

type RowProps = { row: Transaction | undefined; index: number; start: number };

function LedgerRow({ row, index, start }: RowProps) {
  if (row === undefined) return null;
  return (
    <div
      className="line"
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="cell">{moment(row.created_at)}</span>
      <span role="cell">
        <span className="badge">{row.type}</span>
      </span>
      <span role="cell" className="what" title={row.description}>
        {row.description}
      </span>
      <span role="cell" className="number">
        {credits(row.amount)}
      </span>
      <span role="cell" className="number quiet">
        {credits(row.balance_after)}
      </span>
    </div>
  );
}
