import { memo, useId, useState, type KeyboardEvent } from 'react';
import type { Token } from '../state/turn.ts';

const PAGE = 10;

/** The tokens of an answer, each with its probability. Arrow keys move from one to the next. */
export function Tokens({ tokens }: { tokens: readonly Token[] }) {
  const [at, setAt] = useState(0);
  const id = useId();
  const token = tokens[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(event.key, at, tokens.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
    document.getElementById(`${id}${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className="tokens">
      <div
        role="listbox"
        tabIndex={0}
        aria-label="Tokens: arrow keys go from one to the next"
        aria-activedescendant={`${id}${at}`}
        className="token-list"
        onKeyDown={onKeyDown}
        onMouseOver={({ target: over }) => {
          const place = (over as HTMLElement).dataset['place'];
          if (place !== undefined) setAt(Number(place));
        }}
      >
        {tokens.map((each, place) => (
          <TokenView key={place} id={`${id}${place}`} place={place} token={each} isCurrent={place === at} />
        ))}
      </div>
      {token && <Alternatives token={token} place={at} />}
    </div>
  );
}

function target(key: string, at: number, last: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowDown: at + PAGE,
    ArrowLeft: at - 1,
    ArrowUp: at - PAGE,
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

type TokenProps = { id: string; place: number; token: Token; isCurrent: boolean };

const TokenView = memo(({ id, place, token: { token, logprob }, isCurrent }: TokenProps) => (
  <span
    id={id}
    role="option"
    aria-selected={isCurrent}
    data-place={place}
    className={`token ${likelihood(logprob)}`}
    aria-label={`${visible(token)}, ${percent(logprob)}`}
  >
    {token}
  </span>
));
TokenView.displayName = 'TokenView';

function Alternatives({
  token: { token, logprob, top_logprobs: top },
  place,
}: {
  token: Token;
  place: number;
}) {
  const shown =
    top.length > 0 ? top.toSorted((one, other) => other.logprob - one.logprob) : [{ token, logprob }];
  return (
    <table className="alternatives" role="status">
      <caption>
        Token {place + 1}: <code>{visible(token)}</code>, {percent(logprob)}
      </caption>
      <tbody>
        {shown.map((each, index) => (
          <tr key={index}>
            <td>
              <code>{visible(each.token)}</code>
            </td>
            <td>
              <meter value={Math.exp(each.logprob)} aria-label={`Probability of ${visible(each.token)}`} />
            </td>
            <td className="number">{percent(each.logprob)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function likelihood(logprob: number): string {
  const probability = Math.exp(logprob);
  if (probability >= 0.9) return 'sure';
  if (probability >= 0.5) return 'likely';
  return probability >= 0.2 ? 'unsure' : 'unlikely';
}

function percent(logprob: number): string {
  const value = Math.exp(logprob) * 100;
  if (value < 0.01) return 'under 0.01 %';
  return `${value.toFixed(value < 1 ? 2 : 1)} %`;
}

/** Spaces and line breaks, which would otherwise be invisible. */
function visible(token: string): string {
  return token.replaceAll(' ', '␣').replaceAll('\n', '⏎').replaceAll('\t', '⇥') || '∅';
}
