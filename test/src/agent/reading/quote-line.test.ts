import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { lineIn, lineOfQuote } from '../../../../src/agent/reading/quote-line.ts';
import { readDocument } from '../../../../src/agent/tools/extract/read-document.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const FILLER = Array.from({ length: 40 }, (_, n) => `Sentence number ${n} says nothing of interest here.`);

function fileOf(name: string, text: string) {
  const folder = join(temporaryFolder(), 'my notes');
  mkdirSync(folder);
  const path = join(folder, name);
  writeFileSync(path, text);
  return { path, url: pathToFileURL(path).toString() };
}

describe('the line of a quote', () => {
  test('is where its words are in the file, however its passages treat blank lines', async () => {
    const lines = [
      '# Bridges',
      '',
      '',
      '',
      ...FILLER,
      '',
      '',
      '',
      'The Alder Bridge crosses',
      'the river Mira.',
    ];
    const { path, url } = fileOf('notes.md', lines.join('\n'));
    const { passages } = await readDocument({ path });
    const { text = '' } = passages.find(({ text: each }) => each.includes('river Mira')) ?? {};
    const quote = 'The Alder Bridge crosses the river Mira.';
    expect(await lineOfQuote({ url, quote, passage: text })).toBe(
      lines.indexOf('The Alder Bridge crosses') + 1,
    );
  });

  test('is in its own passage if a file says the same twice', () => {
    const text = 'Opening\nIt was opened in 1931.\n\nClosing\nIt was opened in 1931.\n';
    expect(lineIn(text, 'It was opened in 1931.', 'Opening\nIt was opened in 1931.')).toBe(2);
    expect(lineIn(text, 'It was opened in 1931.', 'Closing\nIt was opened in 1931.')).toBe(5);
  });

  test('counts the line ends of Windows once', () => {
    expect(lineIn('one\r\ntwo\r\nthree words here', 'three words here', 'three words here')).toBe(3);
  });

  test('follows a file that changed after it was indexed, and is not given for words that are gone', async () => {
    const passage = 'The Alder Bridge crosses the river Mira.';
    const { path, url } = fileOf('notes.md', passage);
    expect(await lineOfQuote({ url, quote: passage, passage })).toBe(1);
    writeFileSync(path, `# New heading\n\n${passage}`);
    expect(await lineOfQuote({ url, quote: passage, passage })).toBe(3);
    writeFileSync(path, 'Something else.');
    expect(await lineOfQuote({ url, quote: passage, passage })).toBeUndefined();
  });

  test.each(['page.html', 'manual.pdf'])('is not given for %s, nor for what is not a file', async (name) => {
    const { url } = fileOf(name, 'The Alder Bridge');
    const words = { quote: 'The Alder Bridge', passage: 'The Alder Bridge' };
    expect(await lineOfQuote({ url, ...words })).toBeUndefined();
    expect(await lineOfQuote({ url: 'https://example.com/a.md', ...words })).toBeUndefined();
    expect(await lineOfQuote({ url: `${url}.gone.md`, ...words })).toBeUndefined();
  });
});
