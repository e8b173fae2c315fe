import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { ProfileChange, TierChange, TierRecord } from '../../../../../src/api/account/account.ts';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

const CHOICES = {
  personal: 'Profile personal: no limits, and an empty wallet blocks nothing',
  hosted: 'Profile hosted: like a public service, on the tier free',
  free: 'Tier free',
  developer: 'Tier developer',
  startup: 'Tier startup',
  enterprise: 'Tier enterprise, with limits of your own',
};
type Choice = keyof typeof CHOICES;
const PROFILES: readonly Choice[] = ['personal', 'hosted'];
const LIMITS = { rpm: 'Requests a minute', tpm: 'Tokens a minute', monthly_tokens: 'Tokens a month' };

export function TierForm({ tier, onClose }: { tier: TierRecord; onClose: () => void }) {
  const queries = useQueryClient();
  const [choice, setChoice] = useState<Choice>(tier.tier);
  const saving = useMutation({
    mutationFn: (form: FormData) => save(choice, form),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['tier'] }),
        queries.invalidateQueries({ queryKey: ['wallet-settings'] }),
      ]);
      onClose();
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title="Change the tier" onClose={onClose}>
      <form onSubmit={submit}>
        <fieldset>
          <legend>Tier or profile</legend>
          {(Object.entries(CHOICES) as [Choice, string][]).map(([name, text]) => (
            <label key={name}>
              <input
                type="radio"
                name="choice"
                value={name}
                checked={choice === name}
                onChange={() => setChoice(name)}
              />
              <span>{text}</span>
            </label>
          ))}
        </fieldset>
        {PROFILES.includes(choice) && (
          <p className="quiet small">
            A profile sets the tier and the rules of the wallet. Credits are kept.
          </p>
        )}
        {choice === 'enterprise' && (
          <div className="pair">
            {Object.entries(LIMITS).map(([name, label]) => (
              <label key={name} className="field">
                <span className="small">{label}</span>
                <input
                  name={name}
                  type="number"
                  min="1"
                  max="1000000000000"
                  step="1"
                  placeholder="no limit"
                />
              </label>
            ))}
          </div>
        )}
        <Problem error={saving.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            Change
          </button>
        </div>
      </form>
    </Dialog>
  );
}

async function save(choice: Choice, form: FormData): Promise<TierRecord> {
  if (choice === 'personal' || choice === 'hosted') {
    const profile: ProfileChange = { profile: choice };
    return call('PUT', '/api/account/profile', profile);
  }
  const limits = Object.keys(LIMITS).flatMap((name) => {
    const text = form.get(name);
    return typeof text === 'string' && text !== '' ? [[name, Number(text)] as const] : [];
  });
  const change: TierChange = { tier: choice, ...Object.fromEntries(limits) };
  return call('PUT', '/api/account/tier', change);
}
