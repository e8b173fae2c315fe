import type { EDITS } from './editor.ts';

/** What a key does besides editing. */
export type Action =
  | 'send'
  | 'older'
  | 'newer'
  | 'complete'
  | 'search'
  | 'cancel'
  | 'interrupt'
  | 'leave'
  | 'redraw'
  | 'openEditor'
  | 'suspend';

type Binding = Action | keyof typeof EDITS;

/** The keys of emacs and readline, and those of other text programs. */
const BINDINGS: Readonly<Record<string, Binding>> = {
  ...{ enter: 'send', 'alt+enter': 'newLine', 'shift+enter': 'newLine', 'ctrl+enter': 'newLine' },
  ...{ 'ctrl+j': 'newLine', up: 'older', down: 'newer', 'ctrl+p': 'older', 'ctrl+n': 'newer' },
  ...{ left: 'left', 'ctrl+b': 'left', right: 'right', 'ctrl+f': 'right' },
  ...{ 'alt+b': 'wordLeft', 'alt+left': 'wordLeft', 'ctrl+left': 'wordLeft' },
  ...{ 'alt+f': 'wordRight', 'alt+right': 'wordRight', 'ctrl+right': 'wordRight' },
  ...{ home: 'startOfLine', 'ctrl+a': 'startOfLine', end: 'endOfLine', 'ctrl+e': 'endOfLine' },
  ...{ 'alt+<': 'startOfText', 'ctrl+home': 'startOfText', 'alt+>': 'endOfText', 'ctrl+end': 'endOfText' },
  ...{ backspace: 'erase', 'shift+backspace': 'erase', 'ctrl+h': 'erase', delete: 'eraseNext' },
  ...{ 'ctrl+k': 'killToEnd', 'ctrl+u': 'killToStart', 'ctrl+w': 'killWordBefore' },
  ...{ 'alt+backspace': 'killWordBefore', 'ctrl+backspace': 'killWordBefore' },
  ...{ 'alt+d': 'killWordAfter', 'ctrl+delete': 'killWordAfter', 'ctrl+y': 'yank', 'ctrl+t': 'transpose' },
  ...{ 'ctrl+_': 'undo', 'ctrl+-': 'undo', 'ctrl+/': 'undo' },
  ...{ tab: 'complete', 'ctrl+r': 'search', esc: 'cancel', 'ctrl+c': 'interrupt', 'ctrl+d': 'leave' },
  ...{ 'ctrl+l': 'redraw', 'ctrl+g': 'openEditor', 'ctrl+z': 'suspend' },
};

export function bindingOf(key: string): Binding | undefined {
  return BINDINGS[key];
}
