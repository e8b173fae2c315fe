import { useState } from 'react';

export type Filter = { action: string; by: string; object: string; outcome: string };
export const NO_FILTER: Filter = { action: '', by: '', object: '', outcome: '' };

const OUTCOMES = ['succeeded', 'failed', 'refused', 'started'];

type Props = { filter: Filter; onChange: (filter: Filter) => void };

/** Sent as a whole, so that no half-typed name is looked up. */
export function AuditFilter({ filter, onChange }: Props) {
  const [draft, setDraft] = useState(filter);
  const field = (name: 'action' | 'by' | 'object', label: string, placeholder: string) => (
    <label>
      <span className="label">{label}</span>
      <input
        value={draft[name]}
        placeholder={placeholder}
        onChange={({ target }) => setDraft({ ...draft, [name]: target.value.trim() })}
      />
    </label>
  );
  return (
    <form
      className="card row"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(draft);
      }}
    >
      {field('action', 'Action', 'api_key')}
      {field('by', 'By', 'session')}
      {field('object', 'Object', 'an id or name')}
      <label>
        <span className="label">Outcome</span>
        <select
          value={draft.outcome}
          onChange={({ target }) => setDraft({ ...draft, outcome: target.value })}
        >
          <option value="">all</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome}>{outcome}</option>
          ))}
        </select>
      </label>
      <button type="submit">Filter</button>
    </form>
  );
}
