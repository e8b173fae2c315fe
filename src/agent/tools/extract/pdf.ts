import { extractText, getDocumentProxy } from 'unpdf';
import type { Article } from './html.ts';

/** As many as a run of the agent can use. */
export const PAGES_MAX = 60;

/** The part of the library's API that is used here and missing from its types. */
type PdfDocument = { getMetadata(): Promise<{ info: object }> };

/** The text of each page; scans have none. */
export async function readPdf(
  bytes: Uint8Array,
  pagesMax: number,
): Promise<{ title: string; pages: string[]; isCut: boolean }> {
  const document = (await getDocumentProxy(bytes, { verbosity: 0 })) as unknown as PdfDocument;
  const { text } = await extractText(document, { mergePages: false });
  const title = await titleOf(document);
  return { title, pages: text.slice(0, pagesMax), isCut: text.length > pagesMax };
}

async function titleOf(document: PdfDocument): Promise<Article['title']> {
  const { info } = await document.getMetadata();
  const { Title: title } = info as { Title?: unknown };
  return typeof title === 'string' ? title.trim() : '';
}
