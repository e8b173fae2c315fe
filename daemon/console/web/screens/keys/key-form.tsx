import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { ApiKey, CreatedApiKey } from '../../../../../src/api/account/keys.ts';
import type { MemberRole } from '../../../../../src/api/account/members.ts';
import { call } from '../../data/api.ts';
import { role } from '../../data/person.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

const SCOPES: readonly [string, string][] = [
  ['chat', 'use the models'],
  ['read', 'see models, limits and the balance'],
  ['write', 'start a top-up'],
  ['admin', 'control the daemon'],
];
const LIFETIMES: readonly [string, string][] = [
  ['', 'Never'],
  ['1', 'In a day'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
];
const DAY_MS = 86_400_000;

/** A member cannot give a key more scopes than the playground has. */
const scopesFor = (role: MemberRole) =>
  role === 'member' ? SCOPES.filter(([scope]) => scope === 'chat' || scope === 'read') : SCOPES;

type Props = {
  apiKey?: ApiKey;
  onDone: (created: CreatedApiKey | undefined) => void;
  onClose: () => void;
};

export function KeyForm({ apiKey, onDone, onClose }: Props) {
  const saving = useMutation({
    mutationFn: (form: FormData) => save(apiKey, form),
    onSuccess: onDone,
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  };
  const scopes = apiKey?.scopes ?? ['chat', 'read'];
  return (
    <Dialog title={apiKey ? `Edit ${apiKey.name}` : 'Create an API key'} onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          <span className="label">Name</span>
          <input
            name="name"
            required
            maxLength={255}
            defaultValue={apiKey?.name}
            placeholder="my application"
          />
        </label>
        <fieldset>
          <legend>What it may do</legend>
          {scopesFor(role()).map(([scope, meaning]) => (
            <label key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scopes.includes(scope)} />
              <span>
                {scope} <span className="quiet">– {meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <BudgetFields budget={apiKey?.budget} />
        {!apiKey && <NewKeyFields />}
        <Problem error={saving.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            {apiKey ? 'Save' : 'Create'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function NewKeyFields() {
  return (
    <>
      <label className="field">
        <span className="label">Expires</span>
        <select name="days">
          {LIFETIMES.map(([days, text]) => (
            <option key={days} value={days}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" name="test" />{' '}
        <span>
          For tests <span className="quiet">– its requests may ask for simulated trouble</span>
        </span>
      </label>
    </>
  );
}

function BudgetFields({ budget }: { budget: ApiKey['budget'] | undefined }) {
  const fields = [
    { name: 'credits_per_month', label: 'Credits a month', step: 'any', min: 0 },
    { name: 'tokens_per_month', label: 'Tokens a month', step: 1, min: 1 },
    { name: 'rpm', label: 'Requests a minute', step: 1, min: 1 },
  ] as const;
  return (
    <fieldset>
      <legend>Its own limits</legend>
      <p className="quiet small">In addition to those of the account. Empty means no limit.</p>
      <div className="pair">
        {fields.map(({ name, label, step, min }) => (
          <label key={name} className="field">
            <span className="small">{label}</span>
            <input name={name} type="number" min={min} step={step} defaultValue={budget?.[name] ?? ''} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

async function save(apiKey: ApiKey | undefined, form: FormData): Promise<CreatedApiKey | undefined> {
  const limit = (name: string) => (textOf(form, name) === '' ? null : Number(textOf(form, name)));
  const wanted = {
    name: textOf(form, 'name'),
    scopes: form.getAll('scopes'),
    credits_per_month: limit('credits_per_month'),
    tokens_per_month: limit('tokens_per_month'),
    rpm: limit('rpm'),
  };
  if (apiKey) {
    await call('PATCH', `/api/keys/${apiKey.id}`, wanted);
    return undefined;
  }
  const days = Number(textOf(form, 'days'));
  const expiresAt = days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null;
  return call<CreatedApiKey>('POST', '/api/keys', {
    ...{ ...wanted, expires_at: expiresAt },
    ...(form.has('test') && { test: true }),
  });
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
