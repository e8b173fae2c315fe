import type { AuditRecord } from '../../../../../src/api/account/audit.ts';
import { moment } from '../../data/format.ts';
import { byText, toneOf } from './audit-texts.ts';

type Props = { records: readonly AuditRecord[]; onOpen: (record: AuditRecord) => void };

export function AuditList({ records, onOpen }: Props) {
  if (records.length === 0) return <p className="quiet">No records.</p>;
  return (
    <section className="card scroll" tabIndex={0} aria-label="Records">
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>Action</th>
            <th>Object</th>
            <th>By</th>
            <th>From</th>
            <th>Outcome</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.seq}>
              <td>{moment(record.created_at)}</td>
              <td>
                <button type="button" className="link" onClick={() => onOpen(record)}>
                  {record.action}
                </button>
              </td>
              <td className="address">{record.object}</td>
              <td title={record.client ?? undefined}>{byText(record)}</td>
              <td>{record.address}</td>
              <td>
                <span className={`badge ${toneOf(record)}`}>{record.code ?? record.outcome}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
