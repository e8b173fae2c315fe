import { expect, test } from 'vitest';
import { createOutput } from '../../../cli/output/output.ts';
import { createIo } from '../../helpers/terminal/cli.ts';

const OPTIONS = { json: false, quiet: false, color: false };
const STATS = '24 tokens in (0 cached), 67 out · first token after 3225 ms · 3.4 s · 507.2 tokens/s';

test('prose on a narrow terminal wraps between words, and a long word stays whole', () => {
  const { io, written } = createIo({ terminal: true });
  Object.assign(io.stderr, { columns: 50 });
  createOutput(io, OPTIONS).note(
    `${STATS}\nsee /a/path/that/is/longer/than/the/terminal/is/wide/and/stays/whole`,
  );
  expect(written().stderr.split('\n')).toEqual([
    '24 tokens in (0 cached), 67 out · first token',
    'after 3225 ms · 3.4 s · 507.2 tokens/s',
    'see',
    '/a/path/that/is/longer/than/the/terminal/is/wide/and/stays/whole',
    '',
  ]);
});

test('prose into a pipe keeps its lines', () => {
  const { io, written } = createIo({});
  createOutput(io, OPTIONS).note(`${STATS} ${STATS}`);
  expect(written().stderr).toBe(`${STATS} ${STATS}\n`);
});
