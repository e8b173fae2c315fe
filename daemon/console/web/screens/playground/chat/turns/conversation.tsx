import { useEffect, useRef } from 'react';
import { canContinue, openCalls } from '../state/conversation.ts';
import { isBusy } from '../state/run.ts';
import { chosenOf, isRunning, type Turn } from '../state/turn.ts';
import { AnswerView, type AnswerActions } from './answer-view.tsx';
import { ResultsView } from './results-view.tsx';
import { UserView, type UserActions } from './user-view.tsx';

const NEAR_END_PX = 80;
const ANNOUNCED_MAX = 2_000;

type Props = { label: string; turns: readonly Turn[]; user: UserActions; answer: AnswerActions };

export function Conversation({ label, turns, user, answer }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [turns]);
  const [isOpen, canGoOn, busy] = [openCalls(turns).length > 0, canContinue(turns), isBusy(turns)];
  return (
    <>
      {/* Every token spoken would be noise: the whole answer is announced below, once it is there. */}
      <div
        ref={list}
        className="turns"
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={label}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        {turns.length === 0 && (
          <p className="quiet">
            Ask something. The request goes to the models on this machine and to nothing else.
          </p>
        )}
        {turns.map((turn, index) => {
          const isLast = index === turns.length - 1;
          if (turn.kind === 'user')
            return <UserView key={turn.id} turn={turn} actions={user} isBusy={busy} />;
          if (turn.kind === 'results') return <ResultsView key={turn.id} turn={turn} />;
          return (
            <AnswerView
              key={turn.id}
              answer={turn}
              actions={answer}
              isOpen={isLast && isOpen}
              canGoOn={isLast && canGoOn}
            />
          );
        })}
      </div>
      <p className="hidden" role="status">
        {announcement(turns.at(-1))}
      </p>
    </>
  );
}

function announcement(turn: Turn | undefined): string {
  if (turn?.kind !== 'answer') return '';
  if (isRunning(turn)) return 'The model is answering.';
  const { content, calls } = chosenOf(turn);
  if (calls.length > 0) return `The model calls ${calls.map(({ name }) => name).join(', ')}.`;
  return turn.problem ? '' : `Answer: ${content.slice(0, ANNOUNCED_MAX)}`;
}
