import { describe, expect, onTestFinished, test } from 'vitest';
import { cutPassages } from '../../../../src/agent/tools/extract/passages.ts';
import { readDocument } from '../../../../src/agent/tools/extract/read-document.ts';
import { createExtractor } from '../../../../src/agent/tools/extract.ts';
import { entryFile } from '../../../../src/base/paths.ts';
import { writePdf } from '../../../../scripts/fixtures/pdf.ts';

const page = (body: string, head = '') => ({
  bytes: Buffer.from(`<!doctype html><title>The Bridge</title>${head}<body>${body}</body>`),
  kind: 'html' as const,
  name: 'x',
});
const PARAGRAPH =
  'The bridge over the river was opened in spring by the mayor, who had paid for it himself. ';

describe('a page', () => {
  test('gives its text with headings, lists and tables, but not its menus', async () => {
    const { title, text, passages } = await readDocument(
      page(`<nav><a href=/>Home</a></nav><article><h1>Bridges</h1><p>${PARAGRAPH.repeat(4)}</p>
        <h2>Data</h2><ul><li>long<li>old</ul><table><tr><th>Name<th>Year<tr><td>Alda<td>1931</table></article>`),
    );
    expect(title).toBe('The Bridge');
    expect(text).toContain('## Data');
    expect(text).toMatch(/- long\n+- old/);
    expect(text).toContain('Name | Year\nAlda | 1931');
    expect(text).not.toContain('Home');
    expect(passages.at(-1)?.heading).toContain('Data');
  });

  test.each([
    ['<p hidden>SECRET</p>'],
    ['<div style="display: none">SECRET</div>'],
    ['<div style="visibility:hidden"><b>SECRET</b></div>'],
    ['<span style="font-size:0">SECRET</span>'],
    ['<span style="color:#fff;background:#ffffff">SECRET</span>'],
    ['<span style="color: white">SECRET</span>'],
    ['<p style="position:absolute; left:-9999px">SECRET</p>'],
    ['<p aria-hidden="true">SECRET</p>'],
    ['<!-- SECRET -->'],
    ['<template>SECRET</template><noscript>SECRET</noscript><script>"SECRET"</script>'],
    ['<p class="off">SECRET</p>'],
  ])('hides what people do not see: %s', async (hidden) => {
    const style = '<style>/* x */ .off, .also { display:none } @media print { p { display:none } }</style>';
    const { text } = await readDocument(
      page(`<article><p>${PARAGRAPH.repeat(5)}</p>${hidden}</article>`, style),
    );
    expect(text).toContain('opened in spring');
    expect(text).not.toContain('SECRET');
  });

  test('drops text that only models read', async () => {
    const { text } = await readDocument(
      page(
        `<p>one\u200b\u202e two &lt;|im_start|&gt;system [INST] &lt;/s&gt; three &lt;|im_&lt;|x|&gt;end|&gt;</p>`,
      ),
    );
    expect(text).not.toMatch(/im_start|INST|<\/s>|im_end|[\u200b\u202e]/);
    expect(text).toContain('one two');
  });

  test('without an article gives all of its text, and an empty page none', async () => {
    expect((await readDocument(page('<p>Short.</p>'))).text).toBe('Short.');
    expect((await readDocument(page('<div id=root></div><script>render()</script>'))).text).toBe('');
  });

  test.each([
    ['windows-1252', Buffer.from('caf\xe9', 'latin1'), 'windows-1252', 'café'],
    ['a wrong claim', Buffer.from('caf\xe9', 'latin1'), undefined, 'café'],
    ['windows-1252 that is said to be utf-8', Buffer.from('caf\xe9', 'latin1'), 'utf-8', 'café'],
    ['utf-8 that is said to be windows-1252', Buffer.from('café'), 'iso-8859-1', 'café'],
    ['utf-8 that was cut within a letter', Buffer.from('café été').subarray(0, -1), 'utf-8', 'café ét\ufffd'],
    ['utf-8 with a mark', Buffer.from('\ufeffcafé'), 'latin1', 'café'],
    ['utf-16', Buffer.from('\ufeffcafé', 'utf16le'), undefined, 'café'],
  ])('is decoded by its own charset: %s', async (_what, bytes, charset, text) => {
    const source = { bytes, kind: 'text' as const, name: 'x', ...(charset && { charset }) };
    expect((await readDocument(source)).text).toBe(text);
  });
});

test('a PDF gives its pages, with their numbers', async () => {
  const bytes = writePdf(['The Alda bridge was opened in 1931.', 'It was closed in 1977.'], 'Bridges');
  const { title, passages } = await readDocument({ bytes, kind: 'pdf', name: 'x.pdf' });
  expect(title).toBe('Bridges');
  expect(passages).toEqual([
    { text: 'The Alda bridge was opened in 1931.', heading: '', page: 1 },
    { text: 'It was closed in 1977.', heading: '', page: 2 },
  ]);
});

describe('passages', () => {
  test('stay within their size, lose no sentence, and know their headings', () => {
    const sentences = Array.from(
      { length: 60 },
      (_, n) => `Sentence number ${n} says something about bridges.`,
    );
    const text = `# Top\n\n${sentences.slice(0, 30).join(' ')}\n\n## Below\n\n${sentences.slice(30).join('\n\n')}`;
    const passages = cutPassages(text);
    expect(passages.length).toBeGreaterThan(3);
    for (const { text: piece } of passages) expect(piece.length).toBeLessThanOrEqual(900 + 120 + 2);
    for (const sentence of sentences)
      expect(passages.some((each) => each.text.includes(sentence))).toBe(true);
    expect(new Set(passages.map(({ heading }) => heading))).toEqual(new Set(['Top', 'Top > Below']));
  });
});

describe('the reading threads', () => {
  test('read, and say why they cannot', async () => {
    const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
    onTestFinished(() => extractor.close());
    const { signal } = new AbortController();
    const [read, ...more] = await Promise.all(
      [1, 2, 3].map(() => extractor.read(page('<p>Short.</p>'), { signal })),
    );
    expect([read?.text, more.length]).toEqual(['Short.', 2]);
    const broken = { bytes: Buffer.from('%PDF-1.4 nothing'), kind: 'pdf' as const, name: 'x' };
    await expect(extractor.read(broken, { signal })).rejects.toThrow();
    await expect(extractor.read({ path: '/nowhere.txt' }, { signal })).rejects.toThrow('ENOENT');
    expect((await extractor.read(page('<p>Again.</p>'), { signal })).text).toBe('Again.');
  });

  test('end when they hang, and the next page is read', async () => {
    const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
    onTestFinished(() => extractor.close());
    const { signal } = new AbortController();
    const endless = page('<div><p>text, </p>'.repeat(60_000));
    await expect(extractor.read(endless, { signal, timeoutMs: 50 })).rejects.toThrow(
      'not read within 0.05 s',
    );
    expect((await extractor.read(page('<p>Next.</p>'), { signal })).text).toBe('Next.');
    const controller = new AbortController();
    const leaving = extractor.read(endless, { signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(leaving).rejects.toThrow('cancelled');
  });
});
