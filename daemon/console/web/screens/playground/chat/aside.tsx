import { useState } from 'react';
import { RequestCode } from '../request-code.tsx';
import type { Draft } from './composer.tsx';
import { SettingsForm } from './settings/settings-form.tsx';
import { DEFAULTS, problemsOf, toBody } from './settings/settings.ts';
import { refusalsOf } from './state/conversation.ts';
import { toMessages } from './state/messages.ts';
import { settingsOf, withSettings, withSharing, type Playground } from './state/playground.ts';
import { change } from './state/store.ts';
import { userTurn, type Turn } from './state/turn.ts';

type Props = { playground: Playground; draft: Draft; names: readonly string[] };

/** The settings, and the request that results from them. */
export function Aside({ playground, draft, names }: Props) {
  const [chosen, setChosen] = useState(0);
  const { panes, isShared } = playground;
  const isComparing = panes.length > 1;
  const index = isComparing ? chosen : 0;
  const settings = settingsOf(playground, index);
  const turns = panes[index]?.turns ?? [];
  const problems = { ...refusalsOf(turns), ...problemsOf(settings) };
  return (
    <aside className="card" aria-label="Settings">
      {isComparing && (
        <div className="stack">
          <label className="row">
            <input
              type="checkbox"
              checked={isShared}
              onChange={(event) => {
                const { checked } = event.target;
                change((state) => withSharing(state, checked));
              }}
            />
            Both have the same settings
          </label>
          <label className="field">
            <span className="label">{isShared ? 'Request of' : 'Settings of'}</span>
            <select value={index} onChange={(event) => setChosen(Number(event.target.value))}>
              {names.map((name, place) => (
                <option key={name} value={place}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <SettingsForm
        settings={settings}
        problems={problems}
        onChange={(next) => change((state) => withSettings(state, index, next))}
      />
      <div className="row">
        <button
          type="button"
          onClick={() =>
            change((state) => withSettings(state, index, { ...DEFAULTS, model: settings.model }))
          }
        >
          Reset settings
        </button>
      </div>
      <RequestCode path="/v1/chat/completions" body={toBody(settings, toMessages(requestOf(turns, draft)))} />
    </aside>
  );
}

/** The next request if there is something to send, otherwise the latest one. */
function requestOf(turns: readonly Turn[], { text, attachments }: Draft): Turn[] {
  if (text !== '' || attachments.length > 0) return [...turns, userTurn(text, attachments)];
  return turns.at(-1)?.kind === 'answer' ? turns.slice(0, -1) : [...turns];
}
