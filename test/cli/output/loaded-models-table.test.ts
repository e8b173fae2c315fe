import { expect, test } from 'vitest';
import { loadedModelsTable } from '../../../cli/output/loaded-models-table.ts';
import { createOutput } from '../../../cli/output/output.ts';
import { createIo } from '../../helpers/terminal/cli.ts';
import { STATUS } from '../../helpers/terminal/tui.tsx';

const NOTE = 'note: qwen3-4b has a context of 8,192 tokens: trained for 8,192.';

function notesOn(io: ReturnType<typeof createIo>['io']): string[] {
  const output = createOutput(io, { json: false, quiet: false, color: false });
  const lines = loadedModelsTable(STATUS.models, output).split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('note:')));
}

test('what is to be said of a model in memory breaks between words on a terminal, and never in a pipe', () => {
  const { io } = createIo({ terminal: true });
  Object.assign(io.stdout, { columns: 44 });
  expect(notesOn(io)).toEqual(['note: qwen3-4b has a context of 8,192', 'tokens: trained for 8,192.']);
  expect(notesOn(createIo({}).io)).toEqual([NOTE]);
});
