import { pathToFileURL } from 'node:url';

const TRACKING = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_eid|igshid|ref_src)$/i;

/**
 * The canonical URL of a page: without fragment, tracking parameters and trailing slash. Undefined for anything that
 * is not a web address.
 */
export function canonicalUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  if (url.pathname.length > 1) url.pathname = url.pathname.replace(/\/+$/, '');
  return url.toString();
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

const WRITTEN = /https?:\/\/[^\s<>"'`\])}]+/gi;

/** The URLs in a text that a person wrote. */
export function urlsIn(text: string): string[] {
  return Array.from(text.matchAll(WRITTEN), ([url]) => canonicalUrl(url.replace(/[.,;:!?]+$/, ''))).filter(
    (url) => url !== undefined,
  );
}

export const fileUrl = (path: string): string => pathToFileURL(path).toString();
