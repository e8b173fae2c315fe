import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { factsOf, isAddress, sourcesOf, stepsOf, type ReportSource } from './facts.ts';

/** The answer is Markdown already; what others wrote is quoted, so that it is shown as it is. */
export function toMarkdown(run: WholeAgentRun): string {
  const sources = sourcesOf(run);
  return [
    `# ${escape(run.query)}`,
    escape(factsOf(run).join(' · ')),
    withoutMarkup(sanitise(run.answer ?? 'This run has no answer.').trim()),
    ...(sources.length === 0 ? [] : ['## Sources', ...sources.map(toSource)]),
    '## How it was found',
    stepsOf(run)
      .map((step) => `- ${escape(step)}`)
      .join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function toSource({ n, title, url, quotes }: ReportSource): string {
  const name = isAddress(url)
    ? `[${escape(title)}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`
    : escape(`${title} (${url})`);
  const quoted = quotes.map(
    ({ quote, page }) => `> ${escape(quote)}${page === undefined ? '' : ` (page ${page})`}`,
  );
  return [`**[${n}]** ${name}`, ...quoted].join('\n\n');
}

/** Outside of code, no HTML, picture or link: they may do what a page told the model to write. Sources have their links. */
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

/** An address before it would swallow a backslash. */
const asEntity = (character: string): string => `&#${character.charCodeAt(0)};`;
