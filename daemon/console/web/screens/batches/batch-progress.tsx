import type { AccountBatch } from '../../../../../src/api/management/batches.ts';
import { number } from '../../data/format.ts';

export function BatchProgress({ batch }: { batch: AccountBatch }) {
  const { total, completed, failed } = batch.request_counts;
  return (
    <>
      <progress aria-label={`Done of ${batch.id}`} max={Math.max(1, total)} value={completed + failed} />
      <div className="small nowrap">
        {number(completed)} of {number(total)}
        {failed > 0 && `, ${number(failed)} failed`}
      </div>
    </>
  );
}
