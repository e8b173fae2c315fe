import { Box, Text, useInput } from 'ink';
import { memo, useSyncExternalStore } from 'react';
import type { Deck } from './deck.ts';
import { renderFrame } from './frame.ts';
import { keyName, typedText } from './key-name.ts';
import type { Line, Style } from './lines.ts';
import { press } from './press.ts';
import { renderForReader } from './reader.ts';

/** The dashboard. It only shows: what is shown is computed by renderFrame, and what keys do by press. */
export function App({ deck, hasColor }: { deck: Deck; hasColor: boolean }) {
  const state = useSyncExternalStore(deck.store.subscribe, deck.store.shown);
  useInput((input, key) => {
    const text = typedText(input, key);
    // Keys that come in one piece, as when they are typed fast, are pressed one after the other.
    if (text.length > 1 && !deck.store.current().dialog && !deck.store.current().prompt) {
      for (const letter of text) press(deck, letter === ' ' ? 'space' : letter, letter);
    } else press(deck, keyName(input, key), text);
  });
  const lines = deck.theme.isReader ? renderForReader(state, deck.theme) : renderFrame(state, deck.theme);
  return (
    <Box flexDirection="column">
      {lines.map((line, index) => (
        <Row key={index} line={line} hasColor={hasColor} />
      ))}
    </Box>
  );
}

type RowProps = { line: Line; hasColor: boolean };

const Row = memo(
  function Row({ line, hasColor }: RowProps) {
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
  },
  (before, after) =>
    before.hasColor === after.hasColor && JSON.stringify(before.line) === JSON.stringify(after.line),
);

function propsOf({ bold, dim, inverse, color }: Style, hasColor: boolean) {
  return {
    ...(bold && { bold }),
    ...(dim && { dimColor: true }),
    ...(inverse && { inverse }),
    ...(color && hasColor && { color }),
  };
}
