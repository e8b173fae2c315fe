import type { AccountBatch } from '../../../../../src/api/management/batches.ts';
import { credits, moment } from '../../data/format.ts';
import { BatchProgress } from './batch-progress.tsx';
import { momentOf, stateOf } from './state.ts';

type Props = { batches: readonly AccountBatch[]; onOpen: (id: string) => void };

export function BatchList({ batches, onOpen }: Props) {
  if (batches.length === 0)
    return <p className="card quiet">No batches yet. Create one from a file of requests, one per line.</p>;
  return (
    <section className="card scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Batch</th>
            <th>State</th>
            <th>Done</th>
            <th className="number">Credits</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <BatchRow key={batch.id} batch={batch} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function BatchRow({ batch, onOpen }: { batch: AccountBatch; onOpen: (id: string) => void }) {
  const { id, endpoint, model, cost, created_at: createdAt } = batch;
  const { text, tone } = stateOf(batch);
  return (
    <tr>
      <td>
        <button type="button" className="link" onClick={() => onOpen(id)}>
          {id}
        </button>
        <div className="quiet small">
          {endpoint}
          {model !== null && `, ${model}`}
        </div>
      </td>
      <td>
        <span className={`badge ${tone}`}>{text}</span>
      </td>
      <td>
        <BatchProgress batch={batch} />
      </td>
      <td className="number">{credits(cost)}</td>
      <td>{moment(momentOf(createdAt))}</td>
    </tr>
  );
}
