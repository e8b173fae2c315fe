import { useEffect, useRef } from 'react';
import { Markdown } from '../../../parts/markdown.tsx';
import { Problem } from '../../../parts/problem.tsx';
import type { Summary, Turn } from './use-chat.ts';

const NEAR_END_PX = 80;

export function Conversation({ turns }: { turns: readonly Turn[] }) {
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [turns]);
  return (
    <div
      ref={list}
      className="turns"
      tabIndex={0}
      role="log"
      aria-label="Conversation"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {turns.length === 0 && (
        <p className="quiet">
          Ask something. The request goes to the models on this machine and to nothing else.
        </p>
      )}
      {turns.map((turn, index) => (
        <TurnView key={index} turn={turn} />
      ))}
    </div>
  );
}

function TurnView({ turn }: { turn: Turn }) {
  const { role, content, reasoning, state, summary, error } = turn;
  if (role === 'user') return <div className="turn user">{content}</div>;
  return (
    <div className="turn assistant" aria-busy={state === 'streaming'}>
      {reasoning !== '' && (
        <details open={state === 'streaming' && content === ''}>
          <summary>Reasoning</summary>
          <p className="reasoning quiet">{reasoning}</p>
        </details>
      )}
      <Markdown text={content} />
      {state === 'streaming' && content === '' && <p className="quiet">…</p>}
      {state === 'stopped' && <p className="quiet small">Stopped.</p>}
      <Problem error={error} />
      {summary && <Numbers summary={summary} />}
    </div>
  );
}

function Numbers({ summary: { prompt, completion, seconds, firstMs } }: { summary: Summary }) {
  const decoding = seconds - firstMs / 1000;
  const speed = decoding > 0 ? `${((completion - 1) / decoding).toFixed(1)} tokens/s, ` : '';
  return (
    <p className="quiet small">
      {prompt} + {completion} tokens, {speed}first after {Math.round(firstMs)} ms
    </p>
  );
}
