import { Box, Text } from 'ink';
import { memo, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Deck } from './deck.ts';
import type { State } from './state/state.ts';
import { UNCHANGED } from './render/frame-writer.ts';
import { renderFrame } from './render/frame.ts';
import type { Line, Style } from './render/lines.ts';

type Shown = Pick<Deck, 'store' | 'theme'> & { hasColor: boolean };

/** The dashboard. It only displays: renderFrame computes the frame, and pressKeys handles keys. */
export function App({ store, theme, hasColor }: Shown) {
  const state = useSyncExternalStore(store.subscribe, store.shown);
  const rows = theme.isReader ? [] : renderFrame(state, theme).map(toRow);
  const painted = useRef<{ rows: readonly string[]; size: State['size'] }>(undefined);
  // Each resize redraws from scratch, even one to the same size.
  const before = painted.current?.size === state.size ? painted.current.rows : [];
  useLayoutEffect(() => void (painted.current = { rows, size: state.size }));
  // For a screen reader, lines are written one after another, by other code.
  if (theme.isReader) return null;
  return (
    <Box flexDirection="column">
      {rows.map((row, index) => (
        <Row key={index} row={row === before[index] ? undefined : row} hasColor={hasColor} />
      ))}
    </Box>
  );
}

const toRow = (line: Line) => JSON.stringify(withoutEnd(line));

/** Ink processes every letter of every line in every frame, and drops trailing spaces anyway. */
function withoutEnd(line: Line): Line {
  const { text, ...style } = line.at(-1) ?? { text: '', inverse: true };
  if (style.inverse) return line;
  const rest = text.trimEnd();
  if (rest === '') return line.length === 1 ? [] : withoutEnd(line.slice(0, -1));
  return rest === text ? line : [...line.slice(0, -1), { ...style, text: rest }];
}

type RowProps = { row: string | undefined; hasColor: boolean };

const Row = memo(function Row({ row, hasColor }: RowProps) {
  if (row === undefined) return <Text>{UNCHANGED}</Text>;
  const line = JSON.parse(row) as Line;
  return (
    <Text wrap="truncate">
      {line.length === 0
        ? ' '
        : line.map(({ text, ...style }, index) => (
            <Text key={index} {...propsOf(style, hasColor)}>
              {text}
            </Text>
          ))}
    </Text>
  );
});

function propsOf({ dim, color, ...style }: Style, hasColor: boolean) {
  return {
    ...style,
    ...(dim && { dimColor: true }),
    ...(color && hasColor && { color }),
  };
}
