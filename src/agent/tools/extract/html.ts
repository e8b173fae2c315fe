import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { dropHidden, type Element, type Node } from './hidden.ts';

export type Article = { title: string; text: string };

const ELEMENTS_MAX = 20_000;
const CHARACTERS_MIN = 200;
const TEXT_NODE = 3;
const ELEMENT_NODE = 1;
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DIV DL DT FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV OL P PRE SECTION ' +
    'TABLE UL BODY HTML DETAILS SUMMARY'
  ).split(' '),
);

/** The main text of a page, without menus and hidden elements. Headings start with #, table rows use bars. */
export function readHtml(html: string): Article {
  const { document } = parseHTML(html) as unknown as { document: Element };
  // Not document.title: it looks only inside <head>, which many pages omit.
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  dropHidden(document);
  const whole = textOf(document.querySelector('main') ?? document.querySelector('body') ?? document);
  const article = readArticle(document);
  const text =
    article !== undefined && article.length >= Math.min(CHARACTERS_MIN, whole.length / 2) ? article : whole;
  return { title: title || (/^# (.+)$/m.exec(text)?.[1] ?? ''), text };
}

function readArticle(document: Element): string | undefined {
  try {
    const reader = new Readability<Element>(document, {
      maxElemsToParse: ELEMENTS_MAX,
      charThreshold: CHARACTERS_MIN,
      serializer: (node: unknown) => node as Element,
    });
    const content = reader.parse()?.content;
    return content ? textOf(content) : undefined;
  } catch {
    // Too many elements: the caller falls back to the text of the whole page.
    return undefined;
  }
}

function textOf(root: Element): string {
  const parts: string[] = [];
  write(root, parts);
  return parts
    .join('')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function write(element: Element, parts: string[]): void {
  const tag = element.tagName;
  if (tag === 'TABLE') return writeTable(element, parts);
  if (tag === 'BR') return void parts.push('\n');
  const level = /^H([1-6])$/.exec(tag)?.[1];
  const isBlock = level !== undefined || BLOCKS.has(tag);
  if (isBlock) parts.push(tag === 'LI' ? '\n' : '\n\n');
  if (level !== undefined) parts.push(`${'#'.repeat(Number(level))} `);
  if (tag === 'LI') parts.push('- ');
  for (const child of Array.from(element.childNodes)) writeNode(child, parts);
  if (isBlock) parts.push(tag === 'LI' ? '\n' : '\n\n');
}

function writeNode(node: Node, parts: string[]): void {
  if (node.nodeType === ELEMENT_NODE) write(node as unknown as Element, parts);
  else if (node.nodeType === TEXT_NODE) parts.push((node.textContent ?? '').replace(/\s+/g, ' '));
}

function writeTable(table: Element, parts: string[]): void {
  const rows = Array.from(table.querySelectorAll('tr'), (row) =>
    Array.from(row.children, (cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim()).join(' | '),
  );
  parts.push('\n\n', rows.filter((row) => row !== '').join('\n'), '\n\n');
}
