import type { AnswerTurn, Choice } from '../state/turn.ts';

const SHORTENED: Readonly<Record<string, string>> = {
  insufficient_credits: 'It ends here because the wallet is empty.',
  insufficient_quota: 'It ends here because this month’s tokens are used up.',
  spending_limit_reached: 'It ends here because the spending limit is reached.',
};

/** Why the answer ends where it does, unless the model had finished. */
export function Ending({ answer: { state, problem }, choice }: { answer: AnswerTurn; choice: Choice }) {
  const isCut = state === 'done' && choice.finish === 'length';
  return (
    <>
      {state === 'stopped' && <p className="quiet small">Stopped.</p>}
      {isCut && (
        <p className="quiet small">
          {SHORTENED[choice.detail ?? ''] ?? 'It ends here because it reached its maximum number of tokens.'}
        </p>
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
    </>
  );
}
