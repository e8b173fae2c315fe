import { extractText, getDocumentProxy } from 'unpdf';
import type { Article } from './html.ts';

const PAGES_MAX = 60;

/** The text of each page; a scan has none. */
export async function readPdf(
  bytes: Uint8Array,
): Promise<{ title: string; pages: string[]; isCut: boolean }> {
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const { text } = await extractText(document, { mergePages: false });
  const title = await titleOf(document);
  return { title, pages: text.slice(0, PAGES_MAX), isCut: text.length > PAGES_MAX };
}

async function titleOf(document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<Article['title']> {
  const { info } = await document.getMetadata();
  const title = (info as { Title?: unknown }).Title;
  return typeof title === 'string' ? title.trim() : '';
}
