import type { CSSProperties } from 'react';

type Props = { share: number; mark?: number; isHigh?: boolean };

/** Decorates its number. `mark` shows a threshold. */
export function Bar({ share, mark, isHigh = false }: Props) {
  return (
    <span className={isHigh ? 'bar high' : 'bar'} style={shareStyle(share)} aria-hidden="true">
      {mark !== undefined && <span className="mark-at" style={shareStyle(mark)} />}
    </span>
  );
}

/** Set through the element's style object, which the page's policy allows. */
export function shareStyle(share: number): CSSProperties {
  return { '--share': Math.min(1, Math.max(0, share)) } as CSSProperties;
}
