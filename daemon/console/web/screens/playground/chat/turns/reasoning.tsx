import { memo } from 'react';

type Props = { text: string; isGrowing: boolean; ms: number | undefined };

/** Open while the model reasons, folded once it answers. */
export function Reasoning({ text, isGrowing, ms }: Props) {
  if (text === '') return null;
  const seconds = ms === undefined ? '' : ` for ${Math.max(0.1, ms / 1000).toFixed(1)} s`;
  return (
    <details className="reasoning" open={isGrowing}>
      <summary>{isGrowing ? 'Reasoning…' : `Reasoned${seconds}`}</summary>
      {text.split('\n\n').map((paragraph, index) => (
        <Paragraph key={index} text={paragraph} />
      ))}
    </details>
  );
}

/** A long chain of thought only grows at its end. */
const Paragraph = memo(({ text }: { text: string }) => <p className="quiet">{text}</p>);
Paragraph.displayName = 'Paragraph';
