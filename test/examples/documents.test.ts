import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsOf, openExamples } from '../helpers/examples.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

test('LangChain answers from a folder of text files and names the file', async () => {
  const { run } = await openExamples();
  const [command = ''] = commandsOf('ask-documents.js');
  const { stdout } = await run(command);
  expect(stdout).toMatch(/4100 inhabitants[^]*Sources: .*tandleby\.txt/);
  const other = command.replace(/"[^"]+"/, '"When was Harrowgate Works founded?"');
  expect((await run(other)).stdout).toMatch(/1911[^]*Sources: .*harrowgate\.txt/);
});

test('the lines of a file are found by meaning, without a word in common', async () => {
  const { run } = await openExamples();
  const indexFile = join(temporaryFolder(), 'lines.json');
  const [index = '', search = ''] = commandsOf('search-lines.js').map((command) =>
    command.replace('/tmp/lines.json', indexFile),
  );
  expect((await run(index)).stdout).toMatch(/^6 lines of examples\/notes\.txt are indexed/);
  const { stdout } = await run(search);
  expect(stdout.split('\n')[0]).toMatch(/notes\.txt:2 {2}Call the doctor/);
});
