import { useQuery } from '@tanstack/react-query';
import type { Balance, Transaction } from '../../../../../src/api/account/wallet.ts';
import type { WalletSettings } from '../../../../../src/api/account/wallet-settings.ts';
import type { TierRecord } from '../../../../../src/api/account/account.ts';
import { call } from '../../data/api.ts';
import { credits, moment, number, short } from '../../data/format.ts';
import { Problem } from '../../parts/problem.tsx';

type WalletAnswer = { balance: Balance; transactions: Transaction[] };

const UNLIMITED = 1_000_000_000;

export function Wallet() {
  const { data, error } = useQuery({
    queryKey: ['wallet'],
    queryFn: () => call<WalletAnswer>('GET', '/api/wallet'),
  });
  return (
    <>
      <h1>Wallet</h1>
      <Problem error={error} />
      {data && (
        <>
          <section className="tiles" aria-label="Balance">
            <Amount name="Balance" value={data.balance.balance} />
            <Amount name="Held for running requests" value={data.balance.held} />
            <Amount name="Available" value={data.balance.available} />
          </section>
          <div className="columns">
            <Limits />
            <Rules />
          </div>
          <Ledger transactions={data.transactions} />
        </>
      )}
    </>
  );
}

function Amount({ name, value }: { name: string; value: number }) {
  return (
    <div className="card tile">
      <h2>{name}</h2>
      <span className="value">{credits(value)}</span>
      <span className="quiet small">credits</span>
    </div>
  );
}

function Limits() {
  const { data: tier, error } = useQuery({
    queryKey: ['tier'],
    queryFn: () => call<TierRecord>('GET', '/api/account/tier'),
  });
  if (!tier) return <Problem error={error} />;
  const limit = (value: number) => (value >= UNLIMITED ? 'no limit' : number(value));
  const { monthly_tokens: monthly, used_tokens: used } = tier;
  return (
    <section className="card">
      <h2>
        Tier <span className="badge">{tier.tier}</span>
      </h2>
      <table>
        <tbody>
          <Row name="Requests a minute" value={limit(tier.rpm)} />
          <Row name="Tokens a minute" value={limit(tier.tpm)} />
          <Row
            name="Tokens this month"
            value={monthly === null ? `${short(used)}, no limit` : `${short(used)} of ${short(monthly)}`}
          />
        </tbody>
      </table>
    </section>
  );
}

function Rules() {
  const { data: rules, error } = useQuery({
    queryKey: ['wallet', 'settings'],
    queryFn: () => call<WalletSettings>('GET', '/api/wallet/settings'),
  });
  if (!rules) return <Problem error={error} />;
  const { auto_topup: topup, spending_limit: limit, low_balance_alert: alert } = rules;
  return (
    <section className="card">
      <h2>Rules</h2>
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
          <Row name="Low-balance alert" value={alert.enabled ? `below ${credits(alert.threshold)}` : 'off'} />
        </tbody>
      </table>
      <p className="quiet small">
        Change them: <code>askd wallet settings --help</code>
      </p>
    </section>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{value}</td>
    </tr>
  );
}

function Ledger({ transactions }: { transactions: readonly Transaction[] }) {
  return (
    <section className="card scroll" tabIndex={0}>
      <h2>Latest transactions</h2>
      {transactions.length === 0 ? (
        <p className="quiet">No transactions yet.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th className="number">Credits</th>
              <th className="number">Balance after</th>
            </tr>
          </thead>
          <tbody>
            {transactions.map((row) => (
              <tr key={row.id}>
                <td>{moment(row.created_at)}</td>
                <td>
                  <span className="badge">{row.type}</span> {row.description}
                </td>
                <td className="number">{credits(row.amount)}</td>
                <td className="number">{credits(row.balance_after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
