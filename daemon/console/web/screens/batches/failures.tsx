import { useQuery } from '@tanstack/react-query';
import type { AccountBatch, BatchFailure } from '../../../../../src/api/management/batches.ts';
import { call } from '../../data/api.ts';
import { number } from '../../data/format.ts';
import { Problem } from '../../parts/problem.tsx';

const SHOWN_MAX = 100;

/** The first requests that failed, each with its reason. */
export function Failures({ batch: { id, request_counts: counts } }: { batch: AccountBatch }) {
  const { data, error } = useQuery({
    queryKey: ['batch-failures', id, counts.failed],
    queryFn: () =>
      call<{ data: BatchFailure[] }>(
        'GET',
        `/api/batches/${encodeURIComponent(id)}/failures?limit=${SHOWN_MAX}`,
      ),
    placeholderData: (before) => before,
  });
  return (
    <section className="card" aria-labelledby="failures">
      <h2 id="failures">
        {counts.failed > SHOWN_MAX
          ? `The first ${SHOWN_MAX} of ${number(counts.failed)} requests that failed`
          : 'Requests that failed'}
      </h2>
      <Problem error={error} />
      {data && (
        <div className="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>Request</th>
                <th>Status</th>
                <th>Reason</th>
              </tr>
            </thead>
            <tbody>
              {data.data.map(({ custom_id: request, status, code, message }) => (
                <tr key={request}>
                  <td>{request}</td>
                  <td>{status ?? '–'}</td>
                  <td>
                    {message} {code !== null && <code>{code}</code>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
