import type { Key } from 'ink';

const NAMED: readonly (readonly [keyof Key, string])[] = [
  ['return', 'enter'],
  ['escape', 'esc'],
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['backspace', 'backspace'],
  // Most terminals send for backspace what others send for delete.
  ['delete', 'backspace'],
];

/** Ink has no name for it. */
const CTRL_UNDERSCORE = '\u001f';

/** The name of a key in the keymap; a letter is its own name. */
export function keyName(input: string, key: Key): string {
  if (key.tab) return key.shift ? 'shift+tab' : 'tab';
  if (key.return && key.meta) return 'alt+enter';
  // Some terminals send a line feed for Shift-Enter, and all for Ctrl-J.
  if (input === '\n') return 'ctrl+j';
  if (input === CTRL_UNDERSCORE) return 'ctrl+_';
  const named = NAMED.find(([name]) => key[name] === true)?.[1];
  if (named !== undefined) return named;
  if (key.ctrl) return `ctrl+${input}`;
  return input === ' ' ? 'space' : input;
}

/** The text that a key types; empty for control keys. */
export function typedText(input: string, key: Key): string {
  const isCommand = key.ctrl || key.meta || NAMED.some(([name]) => key[name] === true) || key.tab;
  if (input === CTRL_UNDERSCORE) return '';
  return isCommand ? '' : input;
}
