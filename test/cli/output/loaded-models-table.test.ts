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

test('the table of models in memory fits into 80 columns', () => {
  const { io } = createIo({ terminal: true });
  Object.assign(io.stdout, { columns: 80 });
  const output = createOutput(io, { json: false, quiet: false, color: false });
  const [model] = STATUS.models;
  const large = {
    ...model!,
    artifact: 'qwen3-coder-30b-a3b-instruct-q4-k-m',
    pid: 4_194_303,
    bytes: 123.4e9,
  };
  const busy = {
    ...large,
    context_tokens: 262_144,
    kv_cache_type: 'q8_0' as const,
    busy: 10,
    slots: 16,
    threads: 128,
  };
  const onCard = { ...busy, pinned: true, device: 'NVIDIA GeForce RTX 5090' };
  const [titles = '', ...lines] = loadedModelsTable([onCard], output).split('\n');
  expect(titles).toMatch(/^NAME +PID +MEMORY/);
  expect(lines[0]).toMatch(/^qwen.*m .* pinned$/);
  expect(Math.max(titles.length, lines[0]!.length)).toBeLessThanOrEqual(80);
});

test('a model in memory that is not in a sandbox is named', () => {
  const { io } = createIo({});
  const output = createOutput(io, { json: false, quiet: false, color: false });
  const models = STATUS.models.map((model) => ({ ...model, sandbox: null }));
  expect(loadedModelsTable(models, output)).toContain(
    'note: qwen3-4b runs without a sandbox: askd doctor says why.',
  );
  expect(loadedModelsTable(STATUS.models, output)).not.toContain('sandbox');
});
