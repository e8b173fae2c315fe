import { ExtractError, type Extractor } from '../../src/agent/tools/extract.ts';
import { unusable, type AttachmentKind, type ReadAttachment } from './attachment.ts';

/** The text of the document behind a URL in a message; `param` is named in errors. */
export type ReadDocument = (url: string, param: string, signal: AbortSignal) => Promise<string>;

const MEBIBYTE = 1024 * 1024;
const PAGES_MAX = 600;
const READ_MS_MAX = 30_000;
/** Some programs write a few bytes before it. */
const PDF_MARK = '%PDF-';
const PDF_MARK_WITHIN = 1024;
const TEXT_MIME = /^(?:text\/|application\/(?:json|xml))/i;

const DOCUMENT: AttachmentKind = {
  noun: 'document',
  accept: 'application/pdf, text/plain',
  bytesMax: 32 * MEBIBYTE,
  limitName: 'the most',
  dataUrlExample: 'data:application/pdf;base64',
};

type Parts = { readAttachment: ReadAttachment; extractor: Extractor };

/** Documents are read on this machine, in a thread that is terminated if it takes too long. */
export function createDocumentReader({ readAttachment, extractor }: Parts): ReadDocument {
  return async (url, param, signal) => {
    const { bytes, mime } = await readAttachment({ url, param, signal }, DOCUMENT);
    if (isPdf(bytes)) return readPdf(bytes, param, signal);
    if (TEXT_MIME.test(mime)) return new TextDecoder().decode(bytes);
    throw unusable(DOCUMENT, param, 'it is neither a PDF nor plain text');
  };

  async function readPdf(bytes: Buffer, param: string, signal: AbortSignal): Promise<string> {
    const source = {
      bytes: new Uint8Array(bytes),
      kind: 'pdf' as const,
      name: 'document.pdf',
      pagesMax: PAGES_MAX,
    };
    const document = await extractor.read(source, { signal, timeoutMs: READ_MS_MAX }).catch((error) => {
      if (error instanceof ExtractError) throw unusable(DOCUMENT, param, error.message);
      throw error;
    });
    if (document.isCut) throw unusable(DOCUMENT, param, `it has more than ${PAGES_MAX} pages`);
    if (document.text.trim() === '')
      throw unusable(
        DOCUMENT,
        param,
        'none of its pages contains text. Send them as images to a vision model',
      );
    return document.text + noteOf(document.blankPages ?? []);
  }
}

/** Tells the model that pages are missing. */
function noteOf(blankPages: readonly number[]): string {
  if (blankPages.length === 0) return '';
  return `\n\n[No text could be read on page ${blankPages.join(', ')}.]`;
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, PDF_MARK_WITHIN).includes(PDF_MARK);
}
