import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WalletSettings } from '../../../../../src/api/account/wallet-settings.ts';
import { call } from '../../data/api.ts';
import { credits } from '../../data/format.ts';
import { Problem } from '../../parts/problem.tsx';
import { RulesForm } from './rules-form.tsx';

export function Rules() {
  const [isEditing, setEditing] = useState(false);
  const { data: rules, error } = useQuery({
    queryKey: ['wallet-settings'],
    queryFn: () => call<WalletSettings>('GET', '/api/wallet/settings'),
  });
  if (!rules) return <Problem error={error} />;
  const { auto_topup: topup, spending_limit: limit, low_balance_alert: alert } = rules;
  return (
    <section className="card">
      <div className="row apart">
        <h2>Rules</h2>
        <button type="button" onClick={() => setEditing(true)}>
          Change the rules
        </button>
      </div>
      <table>
        <tbody>
          <Row
            name="Automatic top-up"
            value={topup.enabled ? `${credits(topup.amount)} when below ${credits(topup.threshold)}` : 'off'}
          />
          <Row
            name="Spending limit"
            value={limit.enabled ? `${credits(limit.monthly_limit)} a month, then ${limit.action}` : 'off'}
          />
          <Row
            name="Low-balance alert"
            value={
              alert.enabled
                ? `below ${credits(alert.threshold)}${alert.email === null ? '' : `, mailed to ${alert.email}`}`
                : 'off'
            }
          />
        </tbody>
      </table>
      {isEditing && <RulesForm rules={rules} onClose={() => setEditing(false)} />}
    </section>
  );
}

export function Row({ name, value }: { name: string; value: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{value}</td>
    </tr>
  );
}
