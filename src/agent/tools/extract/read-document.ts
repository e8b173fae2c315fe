import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { cleanText, oneLine } from '../../reading/clean-text.ts';
import { decodeText } from './charset.ts';
import { kindOfFile, type DocumentKind } from './file-kind.ts';
import { readHtml } from './html.ts';
import { cutPassages, type Passage, type PassageSize } from './passages.ts';
import { PAGES_MAX, readPdf } from './pdf.ts';

/** A file on this machine, or downloaded bytes. */
export type DocumentSource =
  | { path: string }
  | {
      bytes: Uint8Array;
      kind: DocumentKind;
      charset?: string;
      name: string;
      pagesMax?: number;
      size?: PassageSize;
    };

export type ReadDocument = {
  title: string;
  text: string;
  passages: Passage[];
  sha256: string;
  /** The document is longer than what was read. */
  isCut: boolean;
  /** Pages without text, counted from 1: pictures or scans. */
  blankPages?: number[];
};

const TITLE_MAX = 200;
const TEXT_MAX = 4_000_000;

/** Reads, cleans and splits a document. This takes long and needs much memory, so it runs in a thread. */
export async function readDocument(source: DocumentSource): Promise<ReadDocument> {
  const bytes = 'path' in source ? await readFile(source.path) : source.bytes;
  const kind = 'path' in source ? (kindOfFile(source.path) ?? 'text') : source.kind;
  const name = 'path' in source ? basename(source.path) : source.name;
  const pagesMax = 'path' in source ? PAGES_MAX : (source.pagesMax ?? PAGES_MAX);
  const size = 'path' in source ? undefined : source.size;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (kind === 'pdf') return { ...(await readPages(bytes, name, { pagesMax, size })), sha256 };
  const decoded = decodeText(bytes, 'path' in source ? undefined : source.charset);
  const { title, text } =
    kind === 'html' ? readHtml(decoded) : { title: headingOf(decoded, kind), text: decoded };
  const cleaned = cleanText(text.replace(/\r\n?/g, '\n'));
  return {
    title: oneLine(title || name, TITLE_MAX),
    text: cleaned.slice(0, TEXT_MAX),
    passages: cutPassages(cleaned.slice(0, TEXT_MAX), undefined, size),
    sha256,
    isCut: cleaned.length > TEXT_MAX,
  };
}

async function readPages(
  bytes: Uint8Array,
  name: string,
  { pagesMax, size }: { pagesMax: number; size: PassageSize | undefined },
): Promise<Omit<ReadDocument, 'sha256'>> {
  const { title, pages, isCut } = await readPdf(new Uint8Array(bytes), pagesMax);
  const cleaned = pages.map((page) => cleanText(page).trim());
  return {
    title: oneLine(title || name, TITLE_MAX),
    text: cleaned.join('\n\n').slice(0, TEXT_MAX),
    passages: cleaned.flatMap((page, index) => cutPassages(page, index + 1, size)),
    isCut,
    blankPages: cleaned.flatMap((page, index) => (page === '' ? [index + 1] : [])),
  };
}

/** The first heading of a text. Code has none, even if a line starts with #. */
function headingOf(text: string, kind: DocumentKind): string {
  return kind === 'code' ? '' : (/^#\s+(.+)$/m.exec(text.slice(0, 4000))?.[1] ?? '');
}
