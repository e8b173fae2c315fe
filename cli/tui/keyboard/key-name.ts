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

/** The keys that do more in a text with Ctrl or Alt. */
const MODIFIED: ReadonlySet<string> = new Set(['enter', 'left', 'right', 'home', 'end', 'backspace']);

/** The name of a key in the keymap; a letter is its own name. */
export function keyName(input: string, key: Key): string {
  if (key.tab) return key.shift ? 'shift+tab' : 'tab';
  // Some terminals send a line feed for Shift-Enter, and all for Ctrl-J.
  if (input === '\n') return 'ctrl+j';
  if (input === CTRL_UNDERSCORE) return 'ctrl+_';
  const named = NAMED.find(([name]) => key[name] === true)?.[1];
  if (named !== undefined) return MODIFIED.has(named) ? withModifier(named, key) : named;
  return withModifier(input === ' ' ? 'space' : input, key);
}

function withModifier(name: string, { ctrl, meta, delete: isDelete }: Key): string {
  // With Ctrl it is certain which of the two it is.
  if (ctrl) return `ctrl+${isDelete ? 'delete' : name}`;
  return meta ? `alt+${name}` : name;
}

/** The text that a key types; empty for control keys. */
export function typedText(input: string, key: Key): string {
  const isCommand = key.ctrl || key.meta || NAMED.some(([name]) => key[name] === true) || key.tab;
  if (input === CTRL_UNDERSCORE) return '';
  return isCommand ? '' : input;
}
