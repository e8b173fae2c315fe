import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createKeyDecoder, type Key } from '../../../../cli/prompt/editor/keys.ts';

function keysOf(...parts: string[]): Key[] {
  const decoder = createKeyDecoder();
  return [...parts.flatMap((part) => decoder.push(part)), ...decoder.flush()];
}

const names = (...parts: string[]) => keysOf(...parts).map(({ name, text }) => text || name);

test('letters, control keys and keys with modifiers have their usual names', () => {
  expect(names('hé\u0001\r\n\t\u007f\u001f')).toEqual([
    ...['hé', 'ctrl+a', 'enter', 'ctrl+j', 'tab', 'backspace', 'ctrl+_'],
  ]);
  expect(names('\u001b[A\u001bOB\u001b[1;5C\u001b[3~\u001b[H\u001bb\u001b\r')).toEqual([
    ...['up', 'down', 'ctrl+right', 'delete', 'home', 'alt+b', 'alt+enter'],
  ]);
});

test('Shift-Enter arrives by the kitty protocol and from xterm', () => {
  expect(names('\u001b[13;2u\u001b[27;2;13~\u001b[99;5u\u001b[27u')).toEqual([
    ...['shift+enter', 'shift+enter', 'ctrl+c', 'esc'],
  ]);
});

test('keys from kitty and foot follow the layout for Shift', () => {
  // Alt-<, Alt->, Ctrl-_, Alt-B, Ctrl-Space and Shift-Tab.
  expect(
    names('\u001b[44:60;4u\u001b[46:62;4u\u001b[45:95;6u\u001b[98:66;4u\u001b[32;5u\u001b[9;2u'),
  ).toEqual(['alt+<', 'alt+>', 'ctrl+_', 'alt+b', 'ctrl+space', 'shift+tab']);
});

test('on a Cyrillic keyboard Ctrl-C is on the C key', () => {
  expect(names('\u001b[1089::99;5u\u001b[1080::98;3u\u001b[1057:1057:99;6u')).toEqual([
    ...['ctrl+c', 'alt+b', 'ctrl+c'],
  ]);
});

test('an answer of the terminal is not a key', () => {
  expect(names('\u001b[?62;4c\u001b_Gi=1;OK\u001b\\\u001b]11;rgb:0/0/0\u0007\u001b[Ia')).toEqual(['a']);
});

test('an Escape alone is a key once nothing follows', () => {
  expect(names('a\u001b')).toEqual(['a', 'esc']);
  const decoder = createKeyDecoder();
  expect(decoder.push('\u001b')).toEqual([]);
  expect(decoder.isWaiting()).toBe(true);
  expect(decoder.push('[B')).toEqual([{ name: 'down', text: '' }]);
  expect(decoder.isWaiting()).toBe(false);
});

test('a paste is one key, even with control characters and line breaks in it', () => {
  expect(keysOf('\u001b[200~a\u001b[A\r\nb\u0003\u001b[201~c')).toEqual([
    { name: 'paste', text: 'a\u001b[A\r\nb\u0003' },
    { name: 'text', text: 'c' },
  ]);
});

test('keys are the same however their bytes are split', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'é',
      ' ',
      '\r',
      '\u0001',
      '\u001b[A',
      '\u001b[1;3D',
      '\u001b[13;2u',
      '\u001bf',
      '\u001b[200~x\ry\u001b[201~',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      (pieces, cuts) => {
        const text = pieces.join('');
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b),
          text.length,
        ];
        const parts = places.slice(1).map((place, index) => text.slice(places[index], place));
        const join = (keys: Key[]) =>
          keys.map(({ name, text: typed }) => (name === 'text' ? typed : `<${name} ${typed}>`)).join('');
        expect(join(keysOf(...parts))).toBe(join(keysOf(text)));
      },
    ),
  );
});
