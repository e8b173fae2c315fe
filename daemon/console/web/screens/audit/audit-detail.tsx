import type { AuditRecord } from '../../../../../src/api/account/audit.ts';
import { moment } from '../../data/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { byText, changesOf } from './audit-texts.ts';

type Props = { record: AuditRecord; onClose: () => void };

export function AuditDetail({ record, onClose }: Props) {
  const facts = {
    Time: moment(record.created_at),
    By: byText(record),
    'Id of the actor': record.actor.id,
    Program: record.client,
    From: record.address,
    Object: record.object,
    Account: record.account ?? null,
    Outcome: [record.outcome, record.code].filter(Boolean).join(', '),
    Request: record.request_id,
    Hash: record.hash,
  };
  return (
    <Dialog title={record.action} onClose={onClose}>
      <div className="scroll" tabIndex={0}>
        <table>
          <tbody>
            {Object.entries(facts)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => (
                <tr key={name}>
                  <th>{name}</th>
                  <td className="address">{value}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <Changes record={record} />
    </Dialog>
  );
}

function Changes({ record }: Pick<Props, 'record'>) {
  const changes = changesOf(record);
  if (changes.length === 0) return null;
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Field</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, before, after, isChanged }) => (
            <tr key={name}>
              <th>{name}</th>
              <td className="address">{isChanged ? <del>{before}</del> : before}</td>
              <td className="address">{isChanged ? <ins>{after}</ins> : after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
