import type { Dialog, Field } from './dialog.ts';
import { fuzzyMatches } from './fuzzy.ts';
import {
  block,
  definition,
  line,
  paragraph,
  span,
  type Line,
  type Size,
  type Span,
} from '../render/lines.ts';
import type { Theme } from '../render/theme.ts';

const WIDTH_MAX = 76;

/** A dialog replaces the screen below it. */
export function renderDialog(dialog: Dialog, size: Size, theme: Theme): Line[] {
  const width = dialog.kind === 'pages' ? size.width - 4 : Math.min(WIDTH_MAX, size.width - 4);
  const body = bodyOf(dialog, { width, height: size.height - 4 }, theme);
  const title = [span(dialog.title, { bold: true })];
  const indented = [[], title, [], ...body].map((each) => [{ text: '  ' }, ...each]);
  return block(indented, size);
}

function bodyOf(dialog: Dialog, size: Size, theme: Theme): readonly Line[] {
  switch (dialog.kind) {
    case 'form':
      return formLines(dialog, size.width, theme);
    case 'confirm':
      return confirmLines(dialog, size.width, theme);
    case 'secret':
      return [
        ...paragraph(dialog.secret, size.width, { bold: true }),
        [],
        ...paragraph(dialog.note, size.width),
        [],
        line(span('y', { bold: true }), ' copies it, ', span('Enter', { bold: true }), ' closes it'),
      ];
    case 'pages':
      return pageLines(dialog, size);
    case 'pick':
      return pickLines(dialog, size, theme);
  }
}

type Form = Extract<Dialog, { kind: 'form' }>;

function formLines({ fields, focus, error, isBusy }: Form, width: number, theme: Theme): readonly Line[] {
  const labelWidth = Math.max(...fields.map(({ label }) => label.length));
  const rows = fields.flatMap((field, index) =>
    fieldLines(field, { labelWidth, isFocused: index === focus, width }, theme),
  );
  const state = isBusy ? [line(span('…', { dim: true }))] : errorLines(error, width);
  const keys = line(
    span('Enter', { bold: true }),
    ' continues or submits, ',
    span('Tab', { bold: true }),
    ' moves, ',
    span('Esc', { bold: true }),
    ' cancels',
  );
  return [...rows, [], ...state, keys];
}

type FieldView = { labelWidth: number; isFocused: boolean; width: number };

function fieldLines(field: Field, { labelWidth, isFocused, width }: FieldView, theme: Theme): Line[] {
  const { glyphs } = theme;
  const label = span(
    `${isFocused ? glyphs.selected : ' '} ${field.label.padEnd(labelWidth)}  `,
    isFocused ? { bold: true } : {},
  );
  const hint =
    field.hint === undefined || !isFocused
      ? []
      : [[span(' '.repeat(labelWidth + 4)), span(field.hint, { dim: true })]];
  const indent = ' '.repeat(labelWidth + 4);
  return [
    ...valueLines(field, isFocused, width - labelWidth - 4, theme).map((value, index) => [
      index === 0 ? label : span(indent),
      ...value,
    ]),
    ...hint,
  ];
}

function valueLines(field: Field, isFocused: boolean, width: number, { glyphs }: Theme): Line[] {
  if (field.kind === 'text') {
    // Typing happens at the end, so a long value shows its end.
    const shown = [...field.value].slice(-(width - 2)).join('');
    return [[span(shown, { color: 'cyan' }), ...(isFocused ? [span(glyphs.cursor)] : [])]];
  }
  if (field.kind === 'choice')
    return [[span(isFocused ? `< ${field.value} >` : field.value, { color: 'cyan' })]];
  const flags = field.choices.map((choice, index): Span[] => [
    span(`[${field.value.includes(choice) ? 'x' : ' '}] `),
    span(choice, isFocused && index === field.at ? { inverse: true, bold: true } : {}),
    { text: '  ' },
  ]);
  return rowsOf(flags, width);
}

/** As many as fit side by side. */
function rowsOf(groups: readonly Span[][], width: number): Line[] {
  const rows: Span[][] = [[]];
  let used = 0;
  for (const group of groups) {
    const length = group.reduce((sum, { text }) => sum + text.length, 0);
    if (used > 0 && used + length > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(...group);
    used += length;
  }
  return rows;
}

type Confirm = Extract<Dialog, { kind: 'confirm' }>;

function confirmLines(
  { text, expected, typed, error, isBusy }: Confirm,
  width: number,
  { glyphs }: Theme,
): readonly Line[] {
  const ask: Line =
    expected === undefined
      ? line(
          span('y', { bold: true }),
          ' confirms, ',
          span('n', { bold: true }),
          ' or ',
          span('Esc', { bold: true }),
          ' cancels',
        )
      : line(span('> ', { bold: true }), span(typed, { color: 'cyan' }), glyphs.cursor);
  const state = isBusy ? [line(span('…', { dim: true }))] : errorLines(error, width);
  const keys =
    expected === undefined
      ? []
      : [[], line(span('Enter', { bold: true }), ' confirms, ', span('Esc', { bold: true }), ' cancels')];
  return [...paragraph(text, width), [], ask, ...state, ...keys];
}

function errorLines(error: string | undefined, width: number): readonly Line[] {
  return error === undefined ? [] : [...paragraph(`error: ${error}`, width, { color: 'red' }), []];
}

function pageLines(
  { text, offset, url }: Extract<Dialog, { kind: 'pages' }>,
  { width, height }: Size,
): readonly Line[] {
  const wrapped = text.flatMap((each) => definition(each, width));
  const room = height - 2;
  const first = Math.max(0, Math.min(offset, wrapped.length - room));
  const more =
    wrapped.length > room
      ? `${first + 1} to ${Math.min(wrapped.length, first + room)} of ${wrapped.length} lines, arrows scroll, `
      : '';
  const copies = url === undefined ? '' : 'y copies the address, ';
  return [...wrapped.slice(first, first + room), [], [span(`${more}${copies}Esc closes`, { dim: true })]];
}

function pickLines(
  { query, choices, at }: Extract<Dialog, { kind: 'pick' }>,
  { height }: Size,
  { glyphs }: Theme,
): readonly Line[] {
  const found = fuzzyMatches(choices, query);
  const room = height - 4;
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), found.length - room));
  const rows = found.slice(first, first + room).map(({ text }, index) => {
    const isChosen = first + index === at;
    return line(span(`${isChosen ? glyphs.selected : ' '} ${text}`, { bold: isChosen }));
  });
  return [
    line(span('> ', { bold: true }), span(query, { color: 'cyan' }), glyphs.cursor),
    ...(rows.length > 0 ? rows : [line(span('  No matches.', { dim: true }))]),
    [],
    [span(`${found.length} of ${choices.length}. Letters search, Enter chooses, Esc cancels`, { dim: true })],
  ];
}
