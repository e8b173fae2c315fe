import { expect, test } from 'vitest';
import { displayWidth } from '../../../cli/output/display-width.ts';
import { alignDecimals, renderFields, renderTable, type Column } from '../../../cli/output/table.ts';

const pipe = { width: Infinity };

type Row = { name: string; size: string };

const columns: Column<Row>[] = [
  { title: 'NAME', value: (row) => row.name, shrinks: true },
  { title: 'SIZE', value: (row) => row.size, align: 'right' },
];

test('columns line up, numbers are right-aligned, and no line ends in spaces', () => {
  const rows = [
    { name: 'short', size: '9 B' },
    { name: 'a longer name', size: '120 GB' },
  ];
  expect(renderTable(rows, columns, pipe)).toBe(
    ['NAME             SIZE', 'short             9 B', 'a longer name  120 GB'].join('\n'),
  );
  expect(
    renderTable(rows, columns.toReversed(), pipe)
      .split('\n')
      .every((line) => line === line.trimEnd()),
  ).toBe(true);
});

test('amounts have their decimal points below each other, and are exact for other programs', () => {
  const amounts: Column<number>[] = [
    { title: 'WHAT', value: () => 'x' },
    { title: 'AMOUNT', value: (row) => row.toFixed(2), exact: String, align: 'decimal' },
    { title: 'END', value: () => '|' },
  ];
  expect(alignDecimals(['100.00', '-0.000046', '-', '7'])).toEqual([
    '100.00    ',
    '-0.000046',
    '-       ',
    '7       ',
  ]);
  expect(renderTable([100, -0.5], amounts, pipe)).toBe(
    ['WHAT  AMOUNT  END', 'x     100.00  |', 'x      -0.50  |'].join('\n'),
  );
  expect(renderTable([0.125], amounts, { ...pipe, plain: true })).toBe('x\t0.125\t|');
});

test('a wide table shrinks to the screen, and marks cuts with an ellipsis', () => {
  const rows = [{ name: 'x'.repeat(200), size: '1 B' }];
  const lines = renderTable(rows, columns, { width: 80 }).split('\n');
  expect(lines.map(displayWidth)).toEqual([80, 80]);
  expect(lines[1]).toContain('…');
});

test('a name that people type is shortened last, and keeps its end', () => {
  const names: Column<Row>[] = [
    { title: 'NAME', value: (row) => row.name, shrinks: 'middle' },
    { title: 'SIZE', value: (row) => row.size, shrinks: true },
  ];
  const rows = ['one', 'two'].map((end) => ({ name: `hf:someone/a-long-name-${end}`, size: 'z'.repeat(30) }));
  const wide = renderTable(rows, names, { width: 45 });
  for (const { name } of rows) expect(wide).toContain(name);
  const [, first = '', second = ''] = renderTable(rows, names, { width: 24 }).split('\n');
  expect([first, second].map(displayWidth)).toEqual([24, 24]);
  expect([first, second]).toEqual([
    expect.stringMatching(/^hf:.*….*-one {2}z{7}…$/),
    expect.stringMatching(/^hf:.*….*-two {2}z{7}…$/),
  ]);
});

test('on a screen that is too narrow for its columns, a row has its fields below each other', () => {
  const many: Column<string>[] = ['FIRST', 'SECOND', 'THIRD'].map((title) => ({
    title,
    value: (row) => row,
  }));
  const wide = 'a value of several words';
  expect(renderTable([wide, 'short'], many, { width: 28 })).toBe(
    [
      ...['FIRST   a value of several', '        words', 'SECOND  a value of several', '        words'],
      ...['THIRD   a value of several', '        words'],
      '',
      ...['FIRST   short', 'SECOND  short', 'THIRD   short'],
    ].join('\n'),
  );
  expect(renderTable(['short'], many, { width: 28 })).toBe('FIRST  SECOND  THIRD\nshort  short   short');
});

test('nothing is cut for a pipe', () => {
  const name = 'x'.repeat(200);
  expect(renderTable([{ name, size: '1 B' }], columns, pipe)).toContain(name);
});

test('wide letters and combining marks keep the columns straight', () => {
  const lines = renderTable(
    [
      { name: '日本語', size: '1' },
      { name: 'e\u0301tude', size: '22' },
    ],
    columns,
    pipe,
  ).split('\n');
  expect(new Set(lines.map(displayWidth)).size).toBe(1);
});

test('text from a server in a cell cannot control the terminal or break the table', () => {
  expect(renderTable([{ name: 'a\u001b[2Jb\nc', size: '1' }], columns, pipe).split('\n')[1]).toBe(
    'ab c     1',
  );
});

test('the fields of a record line up', () => {
  expect(
    renderFields([
      ['id', 'x'],
      ['longest', 'y\nz'],
    ]),
  ).toBe('id       x\nlongest  y z');
});
