import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsOf, tableOfExamples } from '../helpers/examples.ts';

const FOLDER = new URL('../../examples/', import.meta.url);

test('the table of examples names each example, with a command from its first lines', () => {
  const table = tableOfExamples();
  const named = table.map(({ example }) => example.split('/')[0]).sort();
  const others = ['README.md', 'documents', 'monitoring', 'notes.txt'];
  expect(named).toEqual(readdirSync(FOLDER).filter((name) => !others.includes(name)));
  for (const { example, command } of table) expect(commandsOf(example)).toContain(command);
});
