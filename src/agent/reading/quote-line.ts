import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { decodeText } from '../tools/extract/charset.ts';
import { kindOfFile } from '../tools/extract/file-kind.ts';
import { placeOfQuote } from './quotes.ts';

/** A larger file takes too long to search while other requests wait. */
const BYTES_MAX = 4_000_000;

export type Quoted = { url: string; quote: string; passage: string };

/**
 * The line on which a quote begins in the file as it is now, which may have changed since it was indexed. Undefined
 * if lines have no meaning (PDF, HTML) or the words are gone.
 */
export async function lineOfQuote({ url, quote, passage }: Quoted): Promise<number | undefined> {
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  const kind = kindOfFile(path);
  if (kind !== 'text' && kind !== 'code') return undefined;
  try {
    if ((await stat(path)).size > BYTES_MAX) return undefined;
    return lineIn(decodeText(await readFile(path)), quote, passage);
  } catch {
    return undefined;
  }
}

/** If a file repeats the words, the right ones are at or after the beginning of their passage. */
export function lineIn(text: string, quote: string, passage: string): number | undefined {
  const [begin = ''] = passage.split('\n');
  const from = placeOfQuote(begin, text) ?? 0;
  const at = placeOfQuote(quote, text, from) ?? placeOfQuote(quote, text);
  return at === undefined ? undefined : text.slice(0, at).split(/\r\n|\r|\n/).length;
}
