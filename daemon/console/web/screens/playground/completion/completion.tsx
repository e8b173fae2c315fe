import { useEffect } from 'react';
import { useRecordedEvents } from '../../../data/live.ts';
import { Problem } from '../../../parts/problem.tsx';
import { TextField } from '../chat/settings/fields.tsx';
import { problemsOf } from '../chat/settings/settings.ts';
import { findModel, isReady, useChatModels } from '../chat/models.ts';
import { chargesIn, withCharges } from '../chat/state/charges.ts';
import { follow, merged, stop } from '../chat/state/follow.ts';
import { answerTurn, chosenOf, isRunning, type AnswerTurn } from '../chat/state/turn.ts';
import { CompletionSettings } from './completion-settings.tsx';
import { CompletionView } from './completion-view.tsx';
import { change, toChatChunk, toCompletion, useCompleting, type Completing } from './state.ts';
import '../chat/chat.css';

export function Completion() {
  const completing = useCompleting();
  const { models, error } = useChatModels();
  useCharge();
  const { settings, prompt, suffix, answer } = completing;
  const isBusy = answer !== undefined && isRunning(answer);
  const wrong = Object.keys(problemsOf(settings));
  const set = (part: Partial<Completing>) => change((now) => ({ ...now, ...part }));
  const model = findModel(models, settings.model);
  return (
    <div className="chat-screen">
      <Problem error={error} />
      <div className="chat-columns">
        <section className="card" aria-label="Completion">
          {model && !isReady(model) && <p className="quiet small">{model.local.notice}</p>}
          <TextField
            label="Prompt"
            hint="The model continues from its last character. Nothing is added."
            rows={8}
            value={prompt}
            onChange={(text) => set({ prompt: text })}
          />
          <TextField
            label="Suffix"
            hint="What comes after. A model that was trained for this fills in the middle."
            rows={2}
            value={suffix}
            problem={refusalOf(answer, 'suffix')}
            onChange={(text) => set({ suffix: text })}
          />
          {wrong.length > 0 && (
            <p className="problem">It cannot be sent. Fix these settings first: {wrong.join(', ')}.</p>
          )}
          <div className="row end">
            {isBusy ? (
              <button type="button" onClick={() => stop([answer.id])}>
                Stop
              </button>
            ) : (
              <button
                type="button"
                className="primary"
                disabled={wrong.length > 0}
                onClick={() => void complete(completing)}
              >
                Complete
              </button>
            )}
          </div>
          {answer && (
            <CompletionView
              answer={answer}
              onChoose={(chosen) => set({ answer: { ...answer, chosen } })}
              onTake={() => set({ prompt: `${completing.echo ? '' : prompt}${chosenOf(answer).content}` })}
            />
          )}
        </section>
        <CompletionSettings completing={completing} models={models} />
      </div>
    </div>
  );
}

async function complete(completing: Completing): Promise<void> {
  const answer = answerTurn(completing.settings.model);
  change((now) => ({ ...now, answer }));
  await follow(answer, {
    path: '/v1/completions',
    body: toCompletion(completing),
    toChunk: toChatChunk,
    show: (next) =>
      change((now) => (now.answer?.id === next.id ? { ...now, answer: merged(now.answer, next) } : now)),
  });
}

function refusalOf(answer: AnswerTurn | undefined, name: string): string | undefined {
  const { param, message } = answer?.problem ?? {};
  return param === name ? message : undefined;
}

function useCharge(): void {
  const events = useRecordedEvents();
  const { answer } = useCompleting();
  useEffect(() => {
    if (answer === undefined) return;
    const [charged] = withCharges([answer], chargesIn(events));
    if (charged?.kind === 'answer' && charged !== answer) change((now) => ({ ...now, answer: charged }));
  }, [events, answer]);
}
