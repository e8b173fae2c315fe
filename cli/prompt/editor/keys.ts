/** A key by its name, such as `ctrl+a`; `text` for typed text and `paste` for pasted text. */
export type Key = { name: string; text: string };

const PASTE_END = '\u001b[201~';
/** Reports of terminals are never longer than this. */
const HELD_MAX = 4096;

/* eslint-disable no-control-regex -- the keys of terminals are control characters */
const CONTROL = /[\u0000-\u001f\u007f]/;
const CSI = /^\u001b\[([0-?]*)[ -/]*([@-~])/;
const SS3 = /^\u001bO([ -~])/;
/** The terminal's answers to queries, which are not keys. */
const REPORT = /^\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/;
const UNFINISHED = /^\u001b(?:$|\[[0-?]*[ -/]*$|O$|[\]P_^X][^\u0007\u001b]*\u001b?$)/;
/* eslint-enable no-control-regex */

const LETTERS: Readonly<Record<string, string>> = {
  ...{ A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end', M: 'enter' },
  ...{ P: 'f1', Z: 'shift+tab' },
};
const NUMBERS: Readonly<Record<string, string>> = {
  ...{ 1: 'home', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end', 11: 'f1' },
};
/** The characters to which Ctrl adds 64, besides the letters, and the codes of the kitty keyboard protocol. */
const CODES: Readonly<Record<number, string>> = {
  ...{ 0: 'ctrl+space', 8: 'backspace', 9: 'tab', 10: 'ctrl+j', 13: 'enter', 27: 'esc', 127: 'backspace' },
  ...{ 32: 'space', 57_414: 'enter' },
};
const ASCII_MAX = 127;
const MODIFIERS = ['shift', 'alt', 'ctrl'];

type Read = { key?: Key; length: number; isReport?: boolean };

/** Turns a terminal's input into keys and reports, however it is split. */
export function createKeyDecoder(onReport: (report: string) => void = () => undefined) {
  let held = '';
  let pasted: string | undefined;

  function next(): Read | undefined {
    if (pasted !== undefined) return readPaste();
    if (!held.startsWith('\u001b')) return readPlain(held);
    if (UNFINISHED.test(held) && held.length < HELD_MAX) return undefined;
    const read = readEscape(held);
    if (read.key?.name === 'paste-start') {
      pasted = '';
      return { length: read.length };
    }
    return read;
  }

  function readPaste(): Read | undefined {
    const end = held.indexOf(PASTE_END);
    // The end may be cut off, too.
    const length = end === -1 ? Math.max(0, held.length - PASTE_END.length + 1) : end;
    pasted += held.slice(0, length);
    if (end === -1) return length === 0 ? undefined : { length };
    const text = pasted ?? '';
    pasted = undefined;
    return { key: { name: 'paste', text }, length: length + PASTE_END.length };
  }

  return {
    push(part: string): Key[] {
      held += part;
      const keys: Key[] = [];
      for (let read = held === '' ? undefined : next(); read; read = held === '' ? undefined : next()) {
        if (read.isReport) onReport(held.slice(0, read.length));
        held = held.slice(read.length);
        if (read.key) keys.push(read.key);
      }
      return keys;
    },
    /** Whether an Escape is waiting for what may follow it. */
    isWaiting: () => pasted === undefined && held !== '',
    /** Nothing followed. */
    flush(): Key[] {
      const rest = held;
      held = '';
      if (rest === '') return [];
      return rest.length === 2 ? [{ name: `alt+${rest[1] ?? ''}`, text: '' }] : [{ name: 'esc', text: '' }];
    },
  };
}

function readPlain(text: string): Read {
  const end = text.search(CONTROL);
  if (end === 0) return { key: key(nameOfControl(text.charCodeAt(0))), length: 1 };
  const typed = end === -1 ? text : text.slice(0, end);
  return { key: { name: 'text', text: typed }, length: typed.length };
}

function readEscape(text: string): Read {
  const csi = CSI.exec(text);
  if (csi) {
    const read = { ...named(nameOfCsi(csi[1] ?? '', csi[2] ?? '')), length: csi[0].length };
    return { ...read, isReport: read.key === undefined };
  }
  const ss3 = SS3.exec(text);
  if (ss3) return { ...named(LETTERS[ss3[1] ?? '']), length: ss3[0].length };
  const report = REPORT.exec(text);
  if (report) return { length: report[0].length, isReport: true };
  const [following = ''] = text.slice(1);
  if (following === '' || following === '\u001b') return { key: key('esc'), length: 1 };
  const code = following.charCodeAt(0);
  const name = code < 32 || code === 127 ? nameOfControl(code) : following;
  return { key: key(`alt+${name}`), length: 1 + following.length };
}

const key = (name: string): Key => ({ name, text: '' });
const named = (name: string | undefined) => (name === undefined ? {} : { key: key(name) });

function nameOfControl(code: number): string {
  return CODES[code] ?? `ctrl+${String.fromCharCode(code + 64).toLowerCase()}`;
}

function nameOfCsi(parameters: string, final: string): string | undefined {
  const [codes = [], [second = ''] = [], [third = ''] = []] = parameters
    .split(';')
    .map((each) => each.split(':'));
  const [first = ''] = codes;
  if (final === 'u') return withModifiers(nameOfCode(codeOf(codes.map(Number), second)), second);
  if (final !== '~') return withModifiers(LETTERS[final], second);
  if (first === '200') return 'paste-start';
  // xterm's modifyOtherKeys.
  if (first === '27') return withModifiers(nameOfCode(Number(third)), second);
  return withModifiers(NUMBERS[first], second);
}

/**
 * A key of the kitty protocol: its character, the one with Shift and, for a layout without Latin letters, the Latin
 * one.
 */
function codeOf([code = 0, shifted = 0, latin = 0]: readonly number[], modifiers: string): number {
  if (code > ASCII_MAX && latin > 0) return latin;
  return shifted > 0 && maskOf(modifiers) % 2 === 1 ? shifted : code;
}

function nameOfCode(code: number): string | undefined {
  const name = CODES[code];
  if (name !== undefined) return name;
  return code > 32 && code < 0xe000 ? String.fromCodePoint(code).toLowerCase() : undefined;
}

/** Shift is 1, Alt 2 and Ctrl 4. */
const maskOf = (modifiers: string) => Number(modifiers || 1) - 1;

function withModifiers(name: string | undefined, modifiers: string): string | undefined {
  const mask = maskOf(modifiers);
  const held = MODIFIERS.filter((_, bit) => (mask & (1 << bit)) !== 0);
  if (name === undefined) return undefined;
  return [...held.filter((each) => each !== 'shift' || name.length > 1), name].join('+');
}
