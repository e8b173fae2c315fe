import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { call } from '../../data/api.ts';
import { Problem } from '../../parts/problem.tsx';

type Field = { name: string; label: string; min: number; step?: 'any' };

const TURNS: readonly Field[] = [
  { name: 'every', label: 'Every nth request', min: 1 },
  { name: 'times', label: 'At most this many times', min: 1 },
];
const NUMBERS: readonly Field[] = [
  { name: 'retry_after', label: 'Retry after, seconds', min: 0 },
  { name: 'delay_ms', label: 'Delay before the headers, ms', min: 0 },
  { name: 'first_token_delay_ms', label: 'Delay before the first token, ms', min: 0 },
  { name: 'token_delay_ms', label: 'Delay between tokens, ms', min: 0 },
  { name: 'tokens_per_second', label: 'Speed, tokens a second', min: 0.01, step: 'any' },
  { name: 'cut_after', label: 'Cut the connection after, tokens', min: 0 },
  { name: 'truncate_after', label: 'Truncate the JSON after, tokens', min: 0 },
  { name: 'upload_bytes_per_second', label: 'Upload speed, bytes a second', min: 1 },
];
const ERRORS = [
  ...['overload', 'expired-key', 'revoked-key', 'empty-wallet'],
  ...['rate_limit_exceeded', 'internal_error', 'context_length_exceeded', 'model_not_found'],
];
const WEBHOOKS = ['late', 'twice', 'out-of-order', 'wrong-signature', 'old-timestamp'];

export function SimulationForm({ path, onDone }: { path: string; onDone: () => Promise<void> }) {
  const adding = useMutation({
    mutationFn: (form: HTMLFormElement) => call('POST', path, ruleOf(new FormData(form))),
    onSuccess: async (_, form) => {
      form.reset();
      await onDone();
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.mutate(event.currentTarget);
  };
  return (
    <form onSubmit={submit}>
      <label className="field">
        <span className="label">Route</span>
        <input name="route" required maxLength={200} defaultValue="POST /v1/chat/completions" />
      </label>
      <div className="pair">{TURNS.map(toInput)}</div>
      <fieldset>
        <legend>What happens to them</legend>
        <div className="pair">
          <label className="field">
            <span className="small">Error</span>
            <input name="error" list="simulated-errors" placeholder="none" />
            <datalist id="simulated-errors">
              {ERRORS.map((code) => (
                <option key={code} value={code} />
              ))}
            </datalist>
          </label>
          <label className="field">
            <span className="small">Their webhooks</span>
            <select name="webhook">
              <option value="">as usual</option>
              {WEBHOOKS.map((how) => (
                <option key={how}>{how}</option>
              ))}
            </select>
          </label>
          {NUMBERS.map(toInput)}
        </div>
        <label>
          <input type="checkbox" name="no_end" /> <span>The stream never ends properly</span>
        </label>
      </fieldset>
      <Problem error={adding.error} />
      <div className="row end">
        <button type="submit" className="primary" disabled={adding.isPending}>
          Add rule
        </button>
      </div>
    </form>
  );
}

function toInput({ name, label, min, step }: Field) {
  return (
    <label key={name} className="field">
      <span className="small">{label}</span>
      <input name={name} type="number" min={min} step={step ?? 1} />
    </label>
  );
}

/** Empty fields are not sent. */
function ruleOf(form: FormData): Record<string, unknown> {
  const rule: Record<string, unknown> = {};
  for (const [name, value] of form) if (value !== '') rule[name] = NUMERIC.has(name) ? Number(value) : value;
  return form.has('no_end') ? { ...rule, no_end: true } : rule;
}

const NUMERIC = new Set([...TURNS, ...NUMBERS].map(({ name }) => name));
