import { memo, useState } from 'react';
import { CopyButton } from '../../../../parts/copy-button.tsx';
import { Markdown } from '../../../../parts/markdown.tsx';
import { chosenOf, isRunning, type AnswerTurn, type Choice, type Result } from '../state/turn.ts';
import { Calls } from './calls.tsx';
import { Choices } from './choices.tsx';
import { EditBox } from './edit-box.tsx';
import { Ending } from './ending.tsx';
import { AnswerNumbers } from './answer-numbers.tsx';
import { Reasoning } from './reasoning.tsx';
import { StructuredAnswer } from './structured-answer.tsx';
import { Tokens } from './tokens.tsx';

export type AnswerActions = {
  retry: (id: string) => void;
  edit: (id: string, text: string) => void;
  choose: (id: string, index: number) => void;
  goOn: () => void;
  giveResults: (results: readonly Result[]) => void;
};

type Props = {
  answer: AnswerTurn;
  actions: AnswerActions;
  /** Whether the model is waiting for the results of its calls. */
  isOpen: boolean;
  canGoOn: boolean;
};

export const AnswerView = memo(function AnswerView({ answer, actions, isOpen, canGoOn }: Props) {
  const [view, setView] = useState<'text' | 'tokens' | 'edit'>('text');
  const choice = chosenOf(answer);
  const isGrowing = isRunning(answer);
  return (
    <article className="turn assistant" aria-label={`Answer of ${answer.model}`} aria-busy={isGrowing}>
      <Choices answer={answer} onChoose={actions.choose} />
      <Reasoning
        text={choice.reasoning}
        isGrowing={isGrowing && choice.content === ''}
        ms={answer.reasoningMs}
      />
      {view === 'tokens' && <Tokens tokens={choice.tokens} />}
      {view === 'text' && <Content answer={answer} choice={choice} isGrowing={isGrowing} />}
      {view === 'edit' && (
        <EditBox
          label="Answer"
          text={choice.content}
          action="Save"
          onSave={(text) => actions.edit(answer.id, text)}
          onClose={() => setView('text')}
        />
      )}
      <Calls calls={choice.calls} isOpen={isOpen} onResults={actions.giveResults} />
      <Ending answer={answer} choice={choice} />
      <AnswerNumbers answer={answer} />
      {!isGrowing && view !== 'edit' && (
        <div className="row actions">
          {choice.content !== '' && <CopyButton text={choice.content} label="Copy as Markdown" />}
          <button type="button" onClick={() => actions.retry(answer.id)}>
            Retry
          </button>
          {choice.content !== '' && (
            <button type="button" onClick={() => setView('edit')}>
              Edit
            </button>
          )}
          {canGoOn && (
            <button type="button" onClick={actions.goOn}>
              Continue
            </button>
          )}
          {choice.tokens.length > 0 && (
            <button
              type="button"
              aria-pressed={view === 'tokens'}
              onClick={() => setView(view === 'tokens' ? 'text' : 'tokens')}
            >
              Tokens
            </button>
          )}
        </div>
      )}
    </article>
  );
});

function Content({ answer, choice, isGrowing }: { answer: AnswerTurn; choice: Choice; isGrowing: boolean }) {
  if (answer.state === 'waiting' && choice.content === '')
    return <p className="quiet">Waiting for the model…</p>;
  if (answer.format && choice.content !== '')
    return <StructuredAnswer text={choice.content} format={answer.format} isGrowing={isGrowing} />;
  return choice.content === '' ? null : <Markdown text={choice.content} isGrowing={isGrowing} />;
}
