import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AccountBatch } from '../../../../../src/api/management/batches.ts';
import { call } from '../../data/api.ts';
import { credits, moment, number } from '../../data/format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { Failures } from './failures.tsx';
import { isOpen, momentOf, stateOf } from './state.ts';

export function BatchDetail({ batch, onClose }: { batch: AccountBatch; onClose: () => void }) {
  const [isCancelling, setCancelling] = useState(false);
  const queries = useQueryClient();
  return (
    <>
      <div className="row">
        <button type="button" onClick={onClose}>
          ← All batches
        </button>
      </div>
      <h1>{batch.id}</h1>
      <Summary batch={batch} />
      <div className="row">
        {batch.output_file_id !== null && (
          <Download batch={batch} part="answers" text="Download the answers" />
        )}
        {batch.error_file_id !== null && <Download batch={batch} part="errors" text="Download what failed" />}
        {isOpen(batch) && (
          <button type="button" className="danger" onClick={() => setCancelling(true)}>
            Cancel
          </button>
        )}
      </div>
      <Mistakes batch={batch} />
      {batch.request_counts.failed > 0 && <Failures batch={batch} />}
      {isCancelling && (
        <Confirm
          title="Cancel this batch"
          action="Cancel the batch"
          onClose={() => setCancelling(false)}
          run={async () => {
            await call('POST', `/api/batches/${encodeURIComponent(batch.id)}/cancel`);
            await queries.invalidateQueries({ queryKey: ['batches'] });
          }}
        >
          Finished requests are kept. The rest cost nothing.
        </Confirm>
      )}
    </>
  );
}

function Summary({ batch }: { batch: AccountBatch }) {
  const { text, tone } = stateOf(batch);
  const { total_tokens: tokens } = batch.usage;
  const rows: [string, ReactNode][] = [
    [
      'State',
      <span key="state">
        <span className={`badge ${tone}`}>{text}</span> {batch.waiting}
      </span>,
    ],
    ['Done', <BatchProgress key="done" batch={batch} />],
    ['Cost so far', `${credits(batch.cost)} credits, ${number(tokens)} tokens`],
    ['Requests', [batch.endpoint, batch.model].filter((part) => part !== null).join(', ')],
    ['Key', batch.key_id ?? 'the command line'],
    ['Created', moment(momentOf(batch.created_at))],
    [isOpen(batch) ? 'Until' : 'Window ended', moment(momentOf(batch.expires_at))],
  ];
  return (
    <section className="card" aria-label="Batch">
      <table>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type DownloadProps = { batch: AccountBatch; part: 'answers' | 'errors'; text: string };

function Download({ batch: { id }, part, text }: DownloadProps) {
  return (
    <a
      className="action"
      href={`/api/batches/${encodeURIComponent(id)}/results?part=${part}`}
      download={`${id}-${part}.jsonl`}
    >
      {text}
    </a>
  );
}

/** Why it failed as a whole. */
function Mistakes({ batch: { errors } }: { batch: AccountBatch }) {
  if (!errors) return null;
  return (
    <section className="card" aria-label="Why it failed">
      <h2>Why it failed</h2>
      <ul>
        {errors.data.map(({ line, code, message }, index) => (
          <li key={index}>
            {line !== null && `Line ${number(line)}: `}
            {message} <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
