import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { WalletSettings } from '../../../../../src/api/account/wallet-settings.ts';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

export function RulesForm({ rules, onClose }: { rules: WalletSettings; onClose: () => void }) {
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (form: FormData) => call<WalletSettings>('PUT', '/api/wallet/settings', read(form)),
    onSuccess: (saved) => {
      queries.setQueryData(['wallet-settings'], saved);
      onClose();
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  };
  const { auto_topup: topup, spending_limit: limit, low_balance_alert: alert } = rules;
  return (
    <Dialog title="Rules of the wallet" onClose={onClose}>
      <form onSubmit={submit}>
        <fieldset>
          <legend>Automatic top-up</legend>
          <Switch name="topup" label="Buy credits when the balance is low" isOn={topup.enabled} />
          <div className="pair">
            <Amount name="topup_amount" label="Credits to buy" value={topup.amount || 25} max="499.99" />
            <Amount name="topup_threshold" label="When below" value={topup.threshold} />
          </div>
        </fieldset>
        <fieldset>
          <legend>Spending limit</legend>
          <Switch name="limit" label="Limit what a month may cost" isOn={limit.enabled} />
          <div className="pair">
            <Amount name="limit_amount" label="Credits a month" value={limit.monthly_limit} />
            <label className="field">
              <span className="small">When it is reached</span>
              <select name="limit_action" defaultValue={limit.action}>
                <option value="block">refuse requests</option>
                <option value="alert">only notify</option>
              </select>
            </label>
          </div>
        </fieldset>
        <fieldset>
          <legend>Low-balance alert</legend>
          <Switch name="alert" label="Notify when the balance is low" isOn={alert.enabled} />
          <div className="pair">
            <Amount name="alert_threshold" label="When below" value={alert.threshold} />
            <label className="field">
              <span className="small">Mail it to (needs smtp_url)</span>
              <input name="alert_email" type="email" maxLength={254} defaultValue={alert.email ?? ''} />
            </label>
          </div>
        </fieldset>
        <Problem error={saving.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Switch({ name, label, isOn }: { name: string; label: string; isOn: boolean }) {
  return (
    <label>
      <input type="checkbox" name={name} defaultChecked={isOn} /> <span>{label}</span>
    </label>
  );
}

type AmountProps = { name: string; label: string; value: number; max?: string };

function Amount({ name, label, value, max = '9000000' }: AmountProps) {
  return (
    <label className="field">
      <span className="small">{label}</span>
      <input name={name} type="number" min="0" max={max} step="any" required defaultValue={value} />
    </label>
  );
}

function read(form: FormData): WalletSettings {
  const amount = (name: string) => Number(form.get(name));
  const email = form.get('alert_email');
  return {
    auto_topup: {
      enabled: form.has('topup'),
      amount: amount('topup_amount'),
      threshold: amount('topup_threshold'),
    },
    spending_limit: {
      enabled: form.has('limit'),
      monthly_limit: amount('limit_amount'),
      action: form.get('limit_action') === 'alert' ? 'alert' : 'block',
    },
    low_balance_alert: {
      enabled: form.has('alert'),
      threshold: amount('alert_threshold'),
      email: typeof email === 'string' && email !== '' ? email : null,
    },
  };
}
