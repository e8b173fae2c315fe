import { useState } from 'react';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { chosenOf, isRunning, type AnswerTurn } from '../chat/state/turn.ts';
import { AnswerNumbers } from '../chat/turns/answer-numbers.tsx';
import { Choices } from '../chat/turns/choices.tsx';
import { Ending } from '../chat/turns/ending.tsx';
import { Tokens } from '../chat/turns/tokens.tsx';

type Props = { answer: AnswerTurn; onChoose: (index: number) => void; onTake: () => void };

/** A completion is shown character by character: it may be code, or the middle of a word. */
export function CompletionView({ answer, onChoose, onTake }: Props) {
  const [showsTokens, setShowsTokens] = useState(false);
  const choice = chosenOf(answer);
  const isGrowing = isRunning(answer);
  return (
    <article className="turn completion" aria-label="Completion of the prompt" aria-busy={isGrowing}>
      <Choices answer={answer} onChoose={(_, index) => onChoose(index)} />
      {showsTokens && choice.tokens.length > 0 ? (
        <Tokens tokens={choice.tokens} />
      ) : (
        <pre tabIndex={0} aria-label="Text">
          {choice.content}
        </pre>
      )}
      <Ending answer={answer} choice={choice} />
      <AnswerNumbers answer={answer} />
      {!isGrowing && choice.content !== '' && (
        <div className="row actions">
          <CopyButton text={choice.content} />
          <button type="button" onClick={onTake}>
            Add to the prompt
          </button>
          {choice.tokens.length > 0 && (
            <button type="button" aria-pressed={showsTokens} onClick={() => setShowsTokens(!showsTokens)}>
              Tokens
            </button>
          )}
        </div>
      )}
      <p className="hidden" role="status">
        {isGrowing ? 'The model is completing the prompt.' : 'The completion has ended.'}
      </p>
    </article>
  );
}
