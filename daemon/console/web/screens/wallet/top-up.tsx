import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { TopUp as Started } from '../../../../../src/api/account/topup.ts';
import { call } from '../../data/api.ts';
import { credits, moment } from '../../data/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

const AMOUNTS = [10, 25, 50, 100];

export function TopUp({ balance, onClose }: { balance: number; onClose: () => void }) {
  const [amount, setAmount] = useState('25');
  const starting = useMutation({
    mutationFn: () => call<Started>('POST', '/api/wallet/top-up', { amount: Number(amount) }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    starting.mutate();
  };
  if (starting.data) return <Payment started={starting.data} balance={balance} onClose={onClose} />;
  return (
    <Dialog title="Top up the wallet" onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          <span className="label">Amount in US dollars</span>
          <input
            type="number"
            required
            min="1"
            max="499.99"
            step="0.01"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        </label>
        <div className="row" role="group" aria-label="Usual amounts">
          {AMOUNTS.map((each) => (
            <button key={each} type="button" onClick={() => setAmount(String(each))}>
              ${each}
            </button>
          ))}
        </div>
        <p className="quiet small">
          A credit costs one dollar. Larger amounts bring a bonus, shown before you pay.
        </p>
        <Problem error={starting.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={starting.isPending}>
            Continue
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type PaymentProps = { started: Started; balance: number; onClose: () => void };

function Payment({ started, balance, onClose }: PaymentProps) {
  const [before] = useState(balance);
  const { amount, bonus, total, checkout_url: url, expires_at: until } = started;
  const hasArrived = balance >= before + total - 0.005;
  return (
    <Dialog title="Confirm the payment" onClose={onClose}>
      <div className="stack">
        <table>
          <tbody>
            <tr>
              <th scope="row">Amount</th>
              <td className="number">${amount.toFixed(2)}</td>
            </tr>
            <tr>
              <th scope="row">Bonus</th>
              <td className="number">{credits(bonus)}</td>
            </tr>
            <tr>
              <th scope="row">Credits</th>
              <td className="number">{credits(total)}</td>
            </tr>
          </tbody>
        </table>
        <p role="status">
          {hasArrived
            ? `The credits arrived. The balance is ${credits(balance)}.`
            : `Confirm it on the payment page before ${moment(until)}. The new balance then shows here.`}
        </p>
        <div className="row end">
          <button type="button" onClick={onClose}>
            Close
          </button>
          {!hasArrived && (
            <a className="action" href={url} target="_blank" rel="noreferrer">
              Open the payment page
            </a>
          )}
        </div>
      </div>
    </Dialog>
  );
}
