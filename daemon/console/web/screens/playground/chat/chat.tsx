import { useState } from 'react';
import { Problem } from '../../../parts/problem.tsx';
import { Composer, type Draft } from './composer.tsx';
import { canSee, isReady, useChatModels, whichCanSee } from './models.ts';
import { PaneView } from './pane.tsx';
import { problemsOf } from './settings/settings.ts';
import { Aside } from './aside.tsx';
import { PANES_MAX, settingsOf, withSecondPane } from './state/playground.ts';
import { ask, closePane, isBusy, stopAll } from './state/run.ts';
import { change, usePlayground } from './state/store.ts';
import { userTurn } from './state/turn.ts';
import { Toolbar } from './toolbar.tsx';
import { useCharges } from './use-charges.ts';
import './chat.css';

const NOTHING: Draft = { text: '', attachments: [] };
const NAMES = ['Left', 'Right'];

export function Chat() {
  const playground = usePlayground();
  const { models, error } = useChatModels();
  const [draft, setDraft] = useState(NOTHING);
  const [isRefused, setRefused] = useState(false);
  useCharges();
  const { panes } = playground;
  const isComparing = panes.length === PANES_MAX;
  const wrong = [
    ...new Set(panes.flatMap((_, index) => Object.keys(problemsOf(settingsOf(playground, index))))),
  ];
  const send = () => {
    setRefused(wrong.length > 0);
    if (wrong.length > 0) return;
    setDraft(NOTHING);
    for (const [index, { turns }] of panes.entries())
      void ask(index, [...turns, userTurn(draft.text, draft.attachments)]);
  };
  const compare = () => {
    const other = models.find(
      ({ id, ...model }) => id !== panes[0]?.settings.model && isReady({ id, ...model }),
    );
    change((state) => withSecondPane(state, other?.id ?? state.panes[0]?.settings.model ?? ''));
  };
  return (
    <div className={isComparing ? 'chat-screen comparing' : 'chat-screen'}>
      <Toolbar canCompare={!isComparing} onCompare={compare} />
      <Problem error={error} />
      <div className="chat-columns">
        <section className="card chat" aria-label="Chat">
          <div className="panes">
            {panes.map((pane, index) => (
              <PaneView
                key={index}
                pane={pane}
                index={index}
                label={isComparing ? (NAMES[index] ?? '') : 'Chat'}
                models={models}
                onClose={isComparing ? () => closePane(index) : undefined}
              />
            ))}
          </div>
          {isRefused && wrong.length > 0 && (
            <p className="problem" role="alert">
              Not sent. Fix these settings first: {wrong.join(', ')}.
            </p>
          )}
          <Composer
            draft={draft}
            isBusy={panes.some(({ turns }) => isBusy(turns))}
            canSee={panes.every(({ settings }) => canSee(models, settings.model))}
            seeing={whichCanSee(models)}
            onChange={setDraft}
            onSend={send}
            onStop={stopAll}
          />
        </section>
        <Aside playground={playground} draft={draft} names={NAMES} />
      </div>
    </div>
  );
}
