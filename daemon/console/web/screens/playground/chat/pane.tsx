import { useMemo } from 'react';
import type { Model } from '../../../../../../src/api/management/models.ts';
import { ModelSelect } from './model-select.tsx';
import { findModel, isReady } from './models.ts';
import {
  before,
  changeAnswer,
  withEditedAnswer,
  withEditedMessage,
  withoutExchange,
} from './state/conversation.ts';
import { changePane, type Pane } from './state/playground.ts';
import { ask, continueAnswer, setTurns } from './state/run.ts';
import { change, current } from './state/store.ts';
import { newId, type Result, type Turn } from './state/turn.ts';
import type { AnswerActions } from './turns/answer-view.tsx';
import { Conversation } from './turns/conversation.tsx';
import type { UserActions } from './turns/user-view.tsx';

type Props = {
  pane: Pane;
  index: number;
  label: string;
  models: readonly Model[];
  onClose: (() => void) | undefined;
};

/** One conversation with its model. */
export function PaneView({ pane: { settings, turns }, index, label, models, onClose }: Props) {
  const { user, answer } = useMemo(() => actionsOf(index), [index]);
  const model = findModel(models, settings.model);
  return (
    <section className="pane" aria-label={label}>
      <div className="row pane-head">
        <ModelSelect
          models={models}
          value={settings.model}
          onChange={(chosen) =>
            change((state) => changePane(state, index, (pane) => withModel(pane, chosen)))
          }
        />
        {onClose && (
          <button type="button" onClick={onClose}>
            Close
          </button>
        )}
      </div>
      {model && !isReady(model) && <p className="quiet small">{model.local.notice}</p>}
      <Conversation label={`${label}: conversation`} turns={turns} user={user} answer={answer} />
    </section>
  );
}

function withModel(pane: Pane, model: string): Pane {
  return { ...pane, settings: { ...pane.settings, model } };
}

function turnsOf(index: number): readonly Turn[] {
  return current().panes[index]?.turns ?? [];
}

function actionsOf(index: number): { user: UserActions; answer: AnswerActions } {
  const giveResults = (results: readonly Result[]) =>
    void ask(index, [...turnsOf(index), { kind: 'results', id: newId(), results }]);
  return {
    user: {
      edit: (id, text) => void ask(index, withEditedMessage(turnsOf(index), id, text)),
      remove: (id) => setTurns(index, withoutExchange(turnsOf(index), id)),
    },
    answer: {
      retry: (id) => void ask(index, before(turnsOf(index), id)),
      edit: (id, text) => setTurns(index, withEditedAnswer(turnsOf(index), id, text)),
      choose: (id, chosen) =>
        setTurns(
          index,
          changeAnswer(turnsOf(index), id, (answer) => ({ ...answer, chosen })),
        ),
      goOn: () => void continueAnswer(index),
      giveResults,
    },
  };
}
