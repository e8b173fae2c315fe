import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { addressOf, placeOf } from '../answer/places.ts';
import { factsOf, isAddress, sourcesOf, stepsOf, type ReportSource } from './facts.ts';

const STYLE = `
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; color-scheme: light dark; }
h1 { font-size: 1.5rem; line-height: 1.3; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
.answer { white-space: pre-wrap; overflow-wrap: anywhere; } .facts, .steps, .place { opacity: .75; font-size: .875rem; }
blockquote { margin: .5rem 0; padding-left: 1rem; border-left: 3px solid currentColor; opacity: .85; }
li { overflow-wrap: anywhere; margin: .5rem 0; } li:target { outline: 2px solid Highlight; outline-offset: 4px; }
`;

/** One file that loads nothing and runs nothing, whatever the sources contain. */
export function toHtml(run: WholeAgentRun, sinceLast: readonly string[] = []): string {
  const sources = sourcesOf(run);
  const numbers = new Set(sources.map(({ n }) => String(n)));
  const title = escape(sanitiseLine(run.query));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
<p class="facts">${escape(sanitiseLine(factsOf(run).join(' · ')))}</p>
<div class="answer">${withLinks(escape(sanitise(run.answer ?? 'This run has no answer.').trim()), numbers)}</div>
${sources.length === 0 ? '' : `<h2>Sources</h2>\n<ol>\n${sources.map(toSource).join('\n')}\n</ol>\n`}${sinceLast.length === 0 ? '' : `<h2>Since the last run</h2>\n${toList(sinceLast)}\n`}<h2>How it was found</h2>
${toList(stepsOf(run))}
</html>
`;
}

function toList(lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${escape(sanitiseLine(line))}</li>`);
  return `<ul class="steps">\n${items.join('\n')}\n</ul>`;
}

function toSource({ n, title, url, quotes }: ReportSource): string {
  const name = escape(sanitiseLine(title));
  const place = escape(sanitiseLine(url));
  const head = isAddress(url) ? `<a href="${place}" rel="noreferrer">${name}</a>` : `${name} (${place})`;
  const quoted = quotes.map(
    (each) => `<blockquote>${escape(sanitiseLine(each.quote))}</blockquote>${whereIs(each)}`,
  );
  return `<li id="source-${n}" value="${n}">${head}${quoted.join('')}</li>`;
}

/** The line or page of a document. Web pages have neither. */
function whereIs(each: ReportSource['quotes'][number]): string {
  if (each.line === undefined && each.page === undefined) return '';
  const address = sanitiseLine(addressOf(each));
  const name = escape(placeOf(each));
  const place = isAddress(address) ? `<a href="${escape(address)}" rel="noreferrer">${name}</a>` : name;
  return `<p class="place">${place}</p>`;
}

/** A citation links to its source. */
function withLinks(html: string, numbers: ReadonlySet<string>): string {
  return html.replace(/\[(\d+)\]/g, (whole, n: string) =>
    numbers.has(n) ? `<a href="#source-${n}">${whole}</a>` : whole,
  );
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
