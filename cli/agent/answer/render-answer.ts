import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { linked } from '../../output/links.ts';
import { renderMarkdown } from '../../output/markdown/markdown.ts';
import type { Output } from '../../output/output.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { wrapText } from '../../output/wrap.ts';
import { addressOf, placeOf } from './places.ts';

type Answer = Pick<WholeAgentRun, 'sources' | 'citations'> & { answer: string };
type Look = Pick<Output, 'styled' | 'width' | 'links'>;

const INDENT = '    ';

/** The answer, followed by its numbered sources, each with the words taken from it. */
export function renderAnswer({ answer, sources, citations }: Answer, { styled, width, links }: Look): string {
  const link = links ? linked : (text: string) => text;
  const targets = new Map(
    sources.map(({ n, url }) => [n, addressOf(citations.find((each) => each.n === n) ?? { url })]),
  );
  const marked = markCitations(sanitise(answer), targets);
  const shown = unmark(styled ? renderMarkdown(marked, width) : marked, (n) =>
    link(`[${n}]`, targets.get(n) ?? ''),
  );
  if (sources.length === 0) return shown;
  const listed = sources.flatMap(({ n, title, url }) => [
    `${link(`[${n}]`, targets.get(n) ?? '')} ${sanitiseLine(title)}`,
    ...placesOf(
      url,
      citations.filter((each) => each.n === n),
      width,
      link,
    ),
  ]);
  return [shown, '', 'Sources:', ...listed].join('\n');
}

/** Words from the same place are grouped below it. */
function placesOf(
  url: string,
  cited: Answer['citations'],
  width: number,
  link: (text: string, url: string) => string,
): string[] {
  const places = new Map<string, { address: string; quotes: string[] }>();
  for (const each of cited.length > 0 ? cited : [{ url, quote: undefined }]) {
    const name = placeOf(each);
    const place = places.get(name) ?? { address: addressOf(each), quotes: [] };
    places.set(name, place);
    if (each.quote !== undefined) place.quotes.push(each.quote);
  }
  return Array.from(places, ([name, { address, quotes }]) => [
    INDENT + link(name, address),
    ...quotes.flatMap((quote) => indented(`"${quote.trim()}"`, width)),
  ]).flat();
}

function indented(text: string, width: number): string[] {
  return wrapText(text, width - INDENT.length).map((line) => INDENT + line);
}

/** Private characters as wide as brackets stand in for citations while the surrounding text is laid out. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];
const CODE = /(```[^]*?(?:```|$)|`[^`\n]*`)/;

/** In code, a number in brackets is an index. */
function markCitations(answer: string, known: ReadonlyMap<number, string>): string {
  return answer
    .replace(/[\ue000\ue001]/g, '')
    .split(CODE)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(/\[(\d+)\](?!\()/g, (whole, n: string) =>
            known.has(Number(n)) ? OPEN + n + CLOSE : whole,
          ),
    )
    .join('');
}

function unmark(text: string, show: (n: number) => string): string {
  return text.replace(/\ue000(\d+)\ue001/g, (_, n: string) => show(Number(n)));
}
