import type { Fact } from './run-state.ts';

/** A short form of where a source is: the host of a page, the name of a file. */
export function placeOf(url: string): string {
  if (url.startsWith('askd:')) return 'askd';
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  if (parsed.protocol !== 'file:') return parsed.host || url;
  return pathOf(url).split('/').at(-1) || url;
}

/** The path of a document on its machine. */
export function pathOf(url: string): string {
  const { pathname } = URL.parse(url) ?? { pathname: url };
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

export const isWebPage = (url: string): boolean => /^https?:\/\//i.test(url);

export type Quoted = { before: string; quote: string; after: string };

/** A quote within the surrounding text. Runs of an earlier askd have only the quote. */
export function quoted({ quote, passage }: Pick<Fact, 'quote' | 'passage'>): Quoted {
  const at = passage?.indexOf(quote) ?? -1;
  if (passage === undefined || at < 0) return { before: '', quote, after: '' };
  return { before: passage.slice(0, at), quote, after: passage.slice(at + quote.length) };
}
