import { useState } from 'react';
import { CopyButton } from '../../../../parts/copy-button.tsx';
import { formatted } from '../settings/json.ts';
import type { Call, Result } from '../state/turn.ts';

type Props = {
  calls: readonly Call[];
  /** Whether the model is waiting for the results. */
  isOpen: boolean;
  onResults: (results: readonly Result[]) => void;
};

/** The model's calls, each with a field for what the tool would have returned. */
export function Calls({ calls, isOpen, onResults }: Props) {
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  if (calls.length === 0) return null;
  const results = calls.map(({ id, name }, index) => ({ id, name, content: typed[index] ?? '' }));
  return (
    <div className="calls">
      {calls.map((call, index) => (
        <section key={index} className="call" aria-label={`Call of ${call.name}`}>
          <CallHead call={call} />
          {isOpen && (
            <div className="field">
              <span className="label" aria-hidden>
                Result of {call.name}
              </span>
              <textarea
                aria-label={`Result of ${call.name}`}
                rows={2}
                value={typed[index] ?? ''}
                placeholder="What the tool returns, as text or JSON"
                onChange={(event) => setTyped({ ...typed, [index]: event.target.value })}
              />
            </div>
          )}
        </section>
      ))}
      {isOpen && (
        <div className="row end">
          <button type="button" className="primary" onClick={() => onResults(results)}>
            {calls.length === 1 ? 'Send the result' : 'Send the results'}
          </button>
        </div>
      )}
    </div>
  );
}

function CallHead({ call: { name, text, isCustom } }: { call: Call }) {
  const shown = isCustom ? text : formatted(text);
  return (
    <>
      <div className="row apart">
        <span>
          <span className="badge">call</span> <code>{name}</code>
        </span>
        <CopyButton text={shown} label="Copy the arguments" />
      </div>
      <pre tabIndex={0} aria-label={`Arguments of ${name}`}>
        {shown}
      </pre>
    </>
  );
}
