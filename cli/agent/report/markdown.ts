import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { addressOf, placeOf } from '../answer/places.ts';
import { factsOf, isAddress, sourcesOf, stepsOf, type ReportSource } from './facts.ts';

/** The answer is already Markdown; text by others is quoted, so that it is shown as it is. */
export function toMarkdown(run: WholeAgentRun, sinceLast: readonly string[] = []): string {
  const sources = sourcesOf(run);
  return [
    `# ${escape(run.query)}`,
    escape(factsOf(run).join(' · ')),
    withoutMarkup(sanitise(run.answer ?? 'This run has no answer.').trim()),
    ...(sources.length === 0 ? [] : ['## Sources', ...sources.map(toSource)]),
    ...(sinceLast.length === 0 ? [] : ['## Since the last run', toList(sinceLast)]),
    '## How it was found',
    toList(stepsOf(run)),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const toList = (lines: readonly string[]) => lines.map((line) => `- ${escape(line)}`).join('\n');

function toSource({ n, title, url, quotes }: ReportSource): string {
  const name = isAddress(url) ? `[${escape(title)}](${target(url)})` : escape(`${title} (${url})`);
  const quoted = quotes.map((each) => `> ${escape(each.quote)}${whereIs(each)}`);
  return [`**[${n}]** ${name}`, ...quoted].join('\n\n');
}

/** The line or page of a document. Web pages have neither. */
function whereIs(each: ReportSource['quotes'][number]): string {
  if (each.line === undefined && each.page === undefined) return '';
  const name = escape(placeOf(each));
  return isAddress(each.url) ? `\n>\n> [${name}](${target(addressOf(each))})` : `\n>\n> ${name}`;
}

const target = (url: string): string => `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;

/**
 * Outside code, no HTML, pictures or links: a page may have told the model to write them. Sources have their own
 * links.
 */
function withoutMarkup(answer: string): string {
  return answer
    .split(/(```[^]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/<|\[(?!\d+\](?!\())/g, asEntity)))
    .join('');
}

function escape(text: string): string {
  return sanitiseLine(text)
    .replace(/[&<>[\]]/g, asEntity)
    .replace(/[\\`*_~]/g, String.raw`\$&`);
}

/** A URL before it would swallow a backslash. */
const asEntity = (character: string): string => `&#${character.charCodeAt(0)};`;
