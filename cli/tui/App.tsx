import { Box, Text, useInput } from 'ink';
import { memo, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Deck } from './deck.ts';
import type { State } from './state/state.ts';
import { UNCHANGED } from './render/frame-writer.ts';
import { renderFrame } from './render/frame.ts';
import { keyName, typedText } from './keyboard/key-name.ts';
import type { Line, Style } from './render/lines.ts';
import { press } from './keyboard/press.ts';

/** The dashboard. It only displays: renderFrame computes the frame, and press handles keys. */
export function App({ deck, hasColor }: { deck: Deck; hasColor: boolean }) {
  const state = useSyncExternalStore(deck.store.subscribe, deck.store.shown);
  useInput((input, key) => {
    const text = typedText(input, key);
    if (text.length > 1) pressAll(deck, text);
    else press(deck, keyName(input, key), text);
  });
  const rows = deck.theme.isReader ? [] : renderFrame(state, deck.theme).map(toRow);
  const painted = useRef<{ rows: readonly string[]; size: State['size'] }>(undefined);
  // Each change of size begins anew, also one to the same size.
  const before = painted.current?.size === state.size ? painted.current.rows : [];
  useLayoutEffect(() => void (painted.current = { rows, size: state.size }));
  // For a screen reader, lines are written one after the other, elsewhere.
  if (deck.theme.isReader) return null;
  return (
    <Box flexDirection="column">
      {rows.map((row, index) => (
        <Row key={index} row={row === before[index] ? undefined : row} hasColor={hasColor} />
      ))}
    </Box>
  );
}

const toRow = (line: Line) => JSON.stringify(withoutEnd(line));

/** A control character is Ctrl with the letter 64 places further on, if it has no key of its own. */
const CONTROL_KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({ length: 26 }, (_, at) => [
      String.fromCharCode(at + 1),
      `ctrl+${String.fromCharCode(at + 97)}`,
    ]),
  ),
  ...{ '\r': 'enter', '\n': 'enter', '\t': 'tab', '\u007f': 'backspace', '\u001f': 'ctrl+_' },
};

/**
 * Input that arrives in one piece, pasted or typed fast: each letter is a key, but a field takes everything up to a
 * control key.
 */
function pressAll(deck: Deck, text: string): void {
  const state = deck.store.current();
  if (!state.dialog && !state.prompt && state.screen === 'chat' && state.chat.isTyping)
    return pressInto(deck, text);
  for (const part of partsOf(text)) {
    const { dialog, prompt } = deck.store.current();
    const control = CONTROL_KEYS[part];
    if (control !== undefined) press(deck, control, '');
    else if (dialog || prompt) press(deck, 'text', part);
    else for (const letter of part) press(deck, letter === ' ' ? 'space' : letter, letter);
  }
}

/** A message takes the lines of what is pasted; a single line with Enter behind it was typed fast, and is sent. */
function pressInto(deck: Deck, text: string): void {
  const [, line = '', enter] = /^([^\r\n]*)(\r?)$/.exec(text) ?? [];
  if (enter === undefined) return press(deck, 'text', text.replace(/\r\n?/g, '\n'));
  for (const part of partsOf(line + enter))
    press(deck, CONTROL_KEYS[part] ?? 'text', part in CONTROL_KEYS ? '' : part);
}

const partsOf = (text: string) =>
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  text.match(/[\u0001-\u001a\u001f\u007f]|[^\u0001-\u001a\u001f\u007f]+/g) ?? [];

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
