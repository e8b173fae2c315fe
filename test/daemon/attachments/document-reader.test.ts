import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAttachmentReader } from '../../../daemon/attachments/attachment.ts';
import { createDocumentReader } from '../../../daemon/attachments/document-reader.ts';
import { createExtractor } from '../../../src/agent/tools/extract.ts';
import { createGuard } from '../../../src/net/guard.ts';
import { createOutbound } from '../../../src/net/outbound.ts';
import { entryFile } from '../../../src/base/paths.ts';
import { writePdf } from '../../../scripts/fixtures/pdf.ts';

type File = { type: string; body: Buffer | string };

async function reader(files: Record<string, File> = {}) {
  const server = createServer((request, response) => {
    const { type, body } = files[request.url ?? ''] ?? { type: 'text/html', body: 'nothing' };
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const guard = createGuard({ allowCidrs: ['127.0.0.0/8'] });
  const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
  onTestFinished(() => extractor.close());
  const readAttachment = createAttachmentReader({ imageUrls: true }, () => createOutbound({ guard }));
  const read = createDocumentReader({ readAttachment, extractor });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signal = new AbortController().signal;
  return (url: string) => read(url.startsWith('/') ? base + url : url, 'url', signal);
}

const inUrl = (file: Buffer | string, mime = 'application/pdf') =>
  `data:${mime};base64,${Buffer.from(file).toString('base64')}`;

test('a PDF is read from its data and from its address', async () => {
  const file = writePdf(['Page one.', 'Page two.']);
  const read = await reader({ '/a.pdf': { type: 'application/octet-stream', body: file } });
  expect(await read(inUrl(file))).toBe('Page one.\n\nPage two.');
  expect(await read('/a.pdf')).toBe('Page one.\n\nPage two.');
});

test('pages without text are named, so that a model does not take them for empty', async () => {
  const read = await reader();
  expect(await read(inUrl(writePdf(['One.', '', 'Three.', ''])))).toContain(
    '[No text could be read on page 2, 4.]',
  );
});

test('more pages than can be read are refused, and not silently cut', async () => {
  const read = await reader();
  const pages = Array.from({ length: 601 }, (_, index) => `${index}`);
  await expect(read(inUrl(writePdf(pages)))).rejects.toThrow('it has more than 600 pages');
});

test('plain text is a document, too, and anything else is not', async () => {
  const read = await reader({
    '/a.txt': { type: 'text/plain; charset=utf-8', body: 'Grüße' },
    '/a.bin': { type: 'application/octet-stream', body: Buffer.from([0, 1, 2]) },
  });
  expect(await read('/a.txt')).toBe('Grüße');
  expect(await read(inUrl('Grüße', 'text/plain'))).toBe('Grüße');
  await expect(read('/a.bin')).rejects.toMatchObject({ code: 'invalid_value', param: 'url' });
});
