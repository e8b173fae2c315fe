import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Balance } from '../../../../../src/api/account/wallet.ts';
import { call } from '../../data/api.ts';
import { credits } from '../../data/format.ts';
import { useLive } from '../../data/live.ts';
import { Problem } from '../../parts/problem.tsx';
import { BalanceChart } from './balance-chart.tsx';
import { Ledger } from './ledger.tsx';
import { Rules } from './rules.tsx';
import { Tier } from './tier.tsx';
import { TopUp } from './top-up.tsx';
import './wallet.css';

export function Wallet() {
  const [isToppingUp, setToppingUp] = useState(false);
  const latest = useLive().latest?.status.wallet;
  const { data, error } = useQuery({
    queryKey: ['wallet'],
    queryFn: () => call<{ balance: Balance }>('GET', '/api/wallet'),
  });
  const balance = latest ?? data?.balance;
  return (
    <>
      <div className="row apart">
        <h1>Wallet</h1>
        <button type="button" className="primary" onClick={() => setToppingUp(true)}>
          Top up
        </button>
      </div>
      <Problem error={error} />
      {balance && (
        <>
          <section className="tiles" aria-label="Balance">
            <Amount name="Balance" value={balance.balance} />
            <Amount name="Held for running requests" value={balance.held} />
            <Amount name="Available" value={balance.available} />
          </section>
          <BalanceChart balance={balance.balance} />
          <div className="columns">
            <Tier />
            <Rules />
          </div>
          <Ledger balance={balance.balance} />
        </>
      )}
      {isToppingUp && balance && <TopUp balance={balance.balance} onClose={() => setToppingUp(false)} />}
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
