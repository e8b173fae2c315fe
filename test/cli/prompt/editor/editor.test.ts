import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { EDITS, EMPTY, insert, paste, withText, type Editor } from '../../../../cli/prompt/editor/editor.ts';
import { layOut, moveRows } from '../../../../cli/prompt/editor/layout.ts';
import { unfold, withLabels } from '../../../../cli/prompt/editor/pastes.ts';

type Name = keyof typeof EDITS;

/** The text with `|` at the cursor. */
const shown = ({ text, cursor }: Editor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const at = (text: string): Editor => ({
  ...EMPTY,
  text: text.replace('|', ''),
  cursor: text.indexOf('|'),
});
const after = (text: string, ...edits: Name[]) =>
  shown(edits.reduce((editor, edit) => EDITS[edit](editor), at(text)));

describe('an editor', () => {
  test.each<[before: string, edit: Name, wanted: string]>([
    ['one tw|o', 'wordLeft', 'one |two'],
    ['one |two', 'wordLeft', '|one two'],
    ['o|ne two', 'wordRight', 'one| two'],
    ['one\ntw|o', 'startOfLine', 'one\n|two'],
    ['on|e\ntwo', 'endOfLine', 'one|\ntwo'],
    ['on|e', 'newLine', 'on\n|e'],
    ['one two|', 'killWordBefore', 'one |'],
    ['one| two', 'killWordAfter', 'one|'],
    ['on|e\ntwo', 'killToEnd', 'on|\ntwo'],
    ['one|\ntwo', 'killToEnd', 'one|two'],
    ['one\n|two', 'killToStart', 'one|two'],
    ['ab|', 'transpose', 'ba|'],
    ['a|b', 'transpose', 'ba|'],
    ['👨‍👩‍👧|', 'erase', '|'],
    ['|e\u0301x', 'eraseNext', '|x'],
  ])('%s after %s is %s', (before, edit, wanted) => {
    expect(after(before, edit)).toBe(wanted);
  });

  test('consecutive kills are yanked as one', () => {
    expect(after('one two three|', 'killWordBefore', 'killWordBefore', 'yank', 'yank')).toBe(
      'one two threetwo three|',
    );
  });

  test('undo takes back a word at a time, and a paste as a whole', () => {
    const typed = [...'one two'].reduce(insert, EMPTY);
    const pasted = paste(typed, ' and three');
    expect(shown(EDITS.undo(pasted))).toBe('one two|');
    expect(shown(EDITS.undo(EDITS.undo(pasted)))).toBe('one |');
  });

  test('a long paste is folded into one mark, which is sent whole and erased as one', () => {
    const lines = Array.from({ length: 1200 }, (_, index) => `line ${index}`).join('\n');
    const editor = insert(paste(insert(EMPTY, 'see '), lines), ' there');
    expect(withLabels(editor.text, editor.pastes)).toBe('see [pasted 1,200 lines] there');
    expect(unfold(editor.text, editor.pastes)).toBe(`see ${lines} there`);
    const erased = EDITS.erase({ ...editor, cursor: editor.cursor - ' there'.length });
    expect(erased.text).toBe('see  there');
  });

  test('pasted or typed text brings no control characters', () => {
    expect(paste(EMPTY, 'a\r\nb\rc\u001b[31m\u0007d').text).toBe('a\nb\ncd');
    expect(insert(EMPTY, 'a\u{100000}b').text).toBe('ab');
  });
});

const text = fc.oneof(
  fc.constantFrom('a', 'word ', '\n', '\t', '漢字', 'é', 'e\u0301', '👨‍👩‍👧', '\u0301'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const anyEdit = fc.oneof(
  fc.constantFrom(...(Object.keys(EDITS) as Name[])).map((name) => EDITS[name]),
  text.map((typed) => (editor: Editor) => insert(editor, typed)),
  text.map((pasted) => (editor: Editor) => paste(editor, pasted.repeat(40))),
  text.map((other) => (editor: Editor) => withText(editor, other.replace(/[\p{Cc}\p{Cf}]/gu, ''))),
  fc.constantFrom<1 | -1>(1, -1).map((by) => (editor: Editor) => moveRows(editor, by, 20) ?? editor),
);
const anyEditor = fc
  .array(anyEdit, { maxLength: 25 })
  .map((edits) => edits.reduce((editor, edit) => edit(editor), EMPTY));

describe('any keys', () => {
  test('leave the cursor within the text, and never inside a pair of surrogates', () => {
    fc.assert(
      fc.property(anyEditor, ({ text: written, cursor }) => {
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(written.length);
        const isInPair =
          /^[\udc00-\udfff]/.test(written.slice(cursor)) && /[\ud800-\udbff]$/.test(written.slice(0, cursor));
        expect(isInPair).toBe(false);
      }),
    );
  });

  test('can be undone until nothing is left', () => {
    fc.assert(
      fc.property(anyEditor, (editor) => {
        let undone = editor;
        for (let left = editor.undo.length; left > 0; left--) undone = EDITS.undo(undone);
        expect(undone.text).toBe('');
        expect(EDITS.undo(undone)).toEqual(undone);
      }),
    );
  });

  test('leave a layout whose rows are the text, with the cursor in the right place', () => {
    fc.assert(
      fc.property(anyEditor, fc.integer({ min: 4, max: 40 }), (editor, columns) => {
        const { rows, row, column } = layOut(editor, columns);
        expect(rows.map(({ from, to }) => editor.text.slice(from, to)).join('')).toBe(
          editor.text.replaceAll('\n', ''),
        );
        expect(rows.filter(({ isFirst }) => isFirst)).toHaveLength(editor.text.split('\n').length);
        const place = rows[row];
        expect(place && place.from <= editor.cursor && editor.cursor <= place.to).toBe(true);
        const { from = 0, to = 0 } = place ?? {};
        const alone = { ...editor, text: editor.text.slice(from, to), cursor: editor.cursor - from };
        expect(layOut(alone, Infinity)).toMatchObject({ row: 0, column });
      }),
    );
  });
});
