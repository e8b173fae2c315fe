import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { Lexer, type Token, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { reportTo } from '../../../cli/agent/report.ts';
import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { TWO_HOP, withWorld } from '../../helpers/agent/world-daemon.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';

/** The parts of a page that these tests look at. */
type Part = {
  tagName: string;
  textContent: string;
  getAttribute: (name: string) => string | null;
  querySelector: (selector: string) => Part | null;
  querySelectorAll: (selector: string) => Iterable<Part> & { length: number };
};
const pageIn = (file: string) => (parseHTML(readFileSync(file, 'utf8')) as { document: Part }).document;

const MINUTE = { timeout: 60_000 };

describe('a report of the agent', () => {
  test('has the answer, each source with its quote, and the steps', MINUTE, async () => {
    const { askd } = await withWorld();
    const file = join(temporaryFolder(), 'answer.html');
    const { code, stdout, stderr } = await askd('agent', TWO_HOP.text, '--report', file, '--json');
    expect([code, stderr]).toEqual([0, `The report is in ${file}.\n`]);
    const { answer, citations, sources } = JSON.parse(stdout) as WholeAgentRun;
    const document = pageIn(file);
    expect(document.querySelector('h1')?.textContent).toBe(TWO_HOP.text);
    expect(document.querySelector('.answer')?.textContent).toBe(answer);
    for (const { n, url } of sources) {
      const source = document.querySelector(`#source-${n}`);
      expect(source?.querySelector('a')?.getAttribute('href')).toBe(url);
      const quotes = citations.filter((each) => each.n === n).map(({ quote }) => quote);
      expect([...(source?.querySelectorAll('blockquote') ?? [])].map((each) => each.textContent)).toEqual(
        quotes,
      );
    }
    const cited = [...document.querySelectorAll('.answer a')].map((each) => each.getAttribute('href'));
    expect(cited.length).toBeGreaterThan(0);
    for (const target of cited) expect(document.querySelector(target ?? '')).not.toBeNull();
    expect(document.querySelectorAll('.steps li').length).toBeGreaterThan(2);
  });

  test('can be written for an earlier run, as Markdown', MINUTE, async () => {
    const { askd, run } = await withWorld();
    const { id, answer } = (await run()).json<WholeAgentRun>();
    const file = join(temporaryFolder(), 'answer.md');
    expect((await askd('agent', 'show', id, '--report', file)).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith(`# ${TWO_HOP.text}\n`)).toBe(true);
    expect(text).toContain(answer);
    expect(text).toMatch(/^## Sources\n\n\*\*\[1\]\*\* \[.+\]\(<file:.+>\)\n\n> /m);
    expect(text).toMatch(/^## How it was found\n\n- /m);
  });

  test('needs a file name with a known format, before anything is asked', MINUTE, async () => {
    const { askd } = await withWorld();
    const { code, stderr } = await askd('agent', 'What?', '--report', 'answer.pdf');
    expect([code, stderr]).toEqual([2, expect.stringContaining('.md or .html; "answer.pdf" does not')]);
    expect((await askd('agent', 'list')).stdout).toContain('No runs yet');
  });
});

describe('a report with hostile texts', () => {
  test.each(HOSTILE_TEXTS)('shows %j and does nothing else', async (text) => {
    const [html, markdown] = ['report.html', 'report.md'].map((name) => join(temporaryFolder(), name));
    for (const file of [html, markdown]) await reportTo(file ?? '', { note: () => undefined })(runOf(text));

    const document = pageIn(html ?? '');
    const names = new Set([...document.querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase()));
    expect([...names].filter((name) => !HARMLESS.includes(name))).toEqual([]);
    for (const link of document.querySelectorAll('a'))
      expect(link.getAttribute('href')).toMatch(/^(#source-1|https:\/\/example\.com\/)/);

    const tokens = tokensOf(new Lexer().lex(readFileSync(markdown ?? '', 'utf8')));
    expect(tokens.filter(({ type }) => ['html', 'image', 'code'].includes(type))).toEqual([]);
    for (const { href } of tokens.filter((token): token is Tokens.Link => token.type === 'link'))
      expect(href).toMatch(/^https:/);
  });
});

const HARMLESS = 'html head meta title style body h1 h2 p div a ol ul li blockquote'.split(' ');

/** A run in which every text is this one; the answer is Markdown, and may have links. */
function runOf(text: string): WholeAgentRun {
  return {
    ...{ id: 'run_1', session_id: 'ses_1', mode: 'research', model: text, query: text, status: 'finished' },
    ...{ stopped: 'answered', max_cycles: 3, answer: `It is so [1].\n\n${text}`, credits: 0.5, usage: null },
    ...{ started_at: '2030-01-01T10:00:00Z', ended_at: '2030-01-01T10:01:00Z' },
    steps: [
      { type: 'step', message: text, seq: 1 },
      { type: 'tool', name: 'read', status: 'ok', seq: 2, id: 'a', detail: text, ms: 3 },
    ],
    sources: [
      { n: 1, kind: 'web', title: text, url: `https://example.com/${text}` },
      { n: 2, kind: 'web', title: 'Other', url: `javascript:${text}` },
    ],
    citations: [{ n: 1, title: text, url: `https://example.com/${text}`, quote: text }],
  };
}

function tokensOf(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => [
    token,
    ...tokensOf('tokens' in token ? (token.tokens ?? []) : []),
    ...tokensOf(token.type === 'list' ? (token as Tokens.List).items : []),
  ]);
}
