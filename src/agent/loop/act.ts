import { Failure } from '../../base/errors.ts';
import type { Budget } from './budget.ts';
import { extractFacts, type Reading } from '../reading/extract-facts.ts';
import type { EmbedderContext } from '../reading/embedder.ts';
import type { Tools } from './allowed-actions.ts';
import type { McpForRuns } from '../mcp/run-tools.ts';
import { runTool } from './use-tool.ts';
import type { Model } from '../model.ts';
import type { Candidate, Notebook } from './notebook.ts';
import { codePrompt } from '../prompts.ts';
import type { Decision } from '../schemas.ts';
import { selectPassages, type Vectors } from '../reading/select-passages.ts';
import type { ReportStep, ToolResult } from './report-step.ts';
import { calculate } from '../tools/calculate.ts';
import { CalculationError } from '../tools/calculate/rational.ts';
import type { CodeOutcome, Sandbox } from '../tools/code.ts';
import type { Docs } from '../tools/docs.ts';
import type { Page } from '../tools/read/pages.ts';
import type { Read } from '../tools/read.ts';
import type { SearchOutcome } from '../tools/search/provider.ts';
import type { Search } from '../tools/search.ts';
import type { AgentUsage, Found, Task } from '../types.ts';
import { fileUrl, hostOf } from '../reading/urls.ts';

export type Toolbox = { search: Search; read: Read; docs: Docs; sandbox: Sandbox; mcp: McpForRuns };

export type Acting = {
  task: Task;
  question: string;
  toolbox: Toolbox;
  tools: Tools;
  notebook: Notebook;
  budget: Budget;
  usage: AgentUsage;
  model: Model;
  report: ReportStep;
  vectors: Vectors;
  embedding: Pick<EmbedderContext, 'requestId' | 'accountId' | 'keyId' | 'daemon'>;
  /** The programs that ran to completion, latest last. */
  programs: string[];
  failures: string[];
  mark: string;
  onFallback: () => void;
  signal: AbortSignal;
};

const READ_AFTER_SEARCH = 2;
const DOCS_HITS = 6;
const REPAIRS_MAX = 2;
const OUTPUT_SHOWN = 2000;
const PROGRAM_TOKENS = 700;

/** Carries out a decision and notes the facts that it yields. Returns how many are new. */
export async function act(acting: Acting, decision: Decision): Promise<number> {
  if (decision.action === 'search') return searchWeb(acting, decision.queries);
  if (decision.action === 'read') return readCandidates(acting, candidatesOf(acting, decision.sources));
  if (decision.action === 'docs') return searchDocs(acting, [decision.query]);
  if (decision.action === 'calculate') return work(acting, decision.expression);
  if (decision.action === 'code') return runCode(acting, decision.task);
  if (decision.action === 'tool')
    return runTool({ ...acting, extract: (found) => extract(acting, found) }, decision);
  return 0;
}

/** Search results need the text of the pages to be useful, so the best two are read at once. */
export async function searchWeb(acting: Acting, queries: readonly string[]): Promise<number> {
  const { toolbox, tools, notebook, usage, report, signal, failures } = acting;
  const wanted = queries.slice(0, 3);
  for (const query of wanted) notebook.try('search', query);
  usage.searches += wanted.length;
  const outcomes = await report.tools(
    wanted.map((query) => ({
      name: 'search' as const,
      detail: query,
      work: () => askWeb(toolbox.search, query, signal),
    })),
    signal,
  );
  const news = outcomes.flatMap((outcome) => {
    if (outcome.status !== 'ok') {
      if (outcome.status !== 'empty') {
        tools.search = false;
        if (!failures.includes(`search: ${outcome.reason}`)) failures.push(`search: ${outcome.reason}`);
      }
      return [];
    }
    return outcome.results.filter((result) => notebook.addCandidate({ ...result, isAskedFor: false }));
  });
  tools.searchesWithoutNews = news.length > 0 ? 0 : tools.searchesWithoutNews + 1;
  return tools.fetch ? readCandidates(acting, notebook.bestUnread(READ_AFTER_SEARCH)) : 0;
}

async function askWeb(
  search: Search,
  query: string,
  signal: AbortSignal,
): Promise<ToolResult<SearchOutcome>> {
  const { outcome, refused } = await search.search(query, signal);
  if (outcome.status === 'ok') {
    const detail = [counted(outcome.results.length, 'result'), ...refused].join('; ');
    const found = outcome.results.map(({ url, title }) => ({ url, title }));
    return { status: 'ok', detail, found, value: outcome };
  }
  if (outcome.status === 'empty') return { status: 'empty', value: outcome };
  const status = outcome.status === 'rate_limited' || outcome.status === 'blocked' ? outcome.status : 'error';
  return { status, detail: `${outcome.status}: ${outcome.reason}`, value: outcome };
}

export async function readCandidates(acting: Acting, candidates: readonly Candidate[]): Promise<number> {
  const { report, signal, budget, usage, question, vectors, notebook } = acting;
  const chosen = candidates.slice(0, budget.fetchesLeft());
  usage.fetches += chosen.length;
  const pages = await report.tools(
    chosen.map((each) => ({ name: 'read' as const, detail: each.url, work: () => readOne(acting, each) })),
    signal,
  );
  const query = [question, ...notebook.tried.slice(-1).map(({ text }) => text)].join(' ');
  const readings: Reading[] = [];
  for (const page of pages) if (page) readings.push(...(await selectPassages(page, query, vectors, signal)));
  return extract(acting, readings);
}

async function readOne(
  { toolbox, budget, signal }: Acting,
  candidate: Candidate,
): Promise<ToolResult<Page | undefined>> {
  candidate.state = 'failed';
  const outcome = await toolbox.read.read({ url: candidate.url, isAskedFor: candidate.isAskedFor, signal });
  budget.spent.bytes += outcome.bytes;
  if (outcome.status !== 'ok') return { status: outcome.status, detail: outcome.reason, value: undefined };
  candidate.state = 'read';
  const { finalUrl: url, title, passages } = outcome.page;
  return {
    status: 'ok',
    detail: `${hostOf(url)}, ${counted(passages.length, 'passage')}`,
    found: [{ url, title: title || url }],
    value: outcome.page,
  };
}

export async function searchDocs(acting: Acting, queries: readonly string[]): Promise<number> {
  const { notebook, report, signal, tools } = acting;
  for (const query of queries) notebook.try('docs', query);
  const found = await report.tools(
    queries.map((query) => ({ name: 'docs' as const, detail: query, work: () => askDocs(acting, query) })),
    signal,
  );
  const readings = found
    .flat()
    .filter((each, at, all) => all.findIndex(({ text }) => text === each.text) === at);
  const news = await extract(acting, readings);
  tools.docsWithoutNews = news > 0 ? 0 : tools.docsWithoutNews + 1;
  return news;
}

async function askDocs(acting: Acting, query: string): Promise<ToolResult<Reading[]>> {
  const { hits, lacking } = await findPassages(acting, query);
  const readings = hits.map(({ path, title, heading, text, page, sha256 }) => ({
    title,
    heading,
    text,
    ...(page !== null && { page }),
    source: { kind: 'document' as const, url: fileUrl(path), title, sha256 },
  }));
  return hits.length === 0
    ? { status: 'empty', value: readings, ...(lacking && { detail: lacking }) }
    : {
        status: 'ok',
        detail: [counted(hits.length, 'passage'), lacking].filter(Boolean).join('; '),
        found: documentsOf(readings),
        value: readings,
      };
}

function documentsOf(readings: readonly Reading[]): Found[] {
  const titles = new Map(readings.map(({ source: { url, title } }) => [url, title]));
  return Array.from(titles, ([url, title]) => ({ url, title }));
}

/** If the embedder fails, the run continues with keyword search and reports that. */
async function findPassages({ toolbox, task, embedding, signal }: Acting, query: string) {
  const wanted = { query, collections: task.sources.docs ?? [], limit: DOCS_HITS };
  const context = { ...embedding, client: signal };
  try {
    return { hits: await toolbox.docs.search(wanted, context) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    const hits = await toolbox.docs.search({ ...wanted, byWords: true }, context);
    return { hits, lacking: `by keywords only: ${error.message}` };
  }
}

function extract(acting: Acting, readings: readonly Reading[]): Promise<number> {
  const { model, notebook, question, mark, onFallback, signal, budget } = acting;
  return extractFacts({
    model,
    notebook,
    question,
    readings,
    room: budget.room.evidence,
    mark,
    onFallback,
    signal,
  });
}

async function work({ notebook, report, signal, budget }: Acting, expression: string): Promise<number> {
  notebook.try('calculate', expression);
  budget.spent.calculations += 1;
  const [result] = await report.tools(
    [{ name: 'calculate', detail: expression, work: () => Promise.resolve(calculated(expression)) }],
    signal,
  );
  if (result === undefined) return 0;
  const fact = `${expression} = ${result}`;
  const source = {
    kind: 'calculation' as const,
    url: `askd:calculate?${encodeURIComponent(expression)}`,
    title: `Calculation: ${expression}`,
  };
  return Number(notebook.addFact({ source, fact, quote: fact }));
}

function calculated(expression: string): ToolResult<string | undefined> {
  try {
    const value = calculate(expression);
    return { status: 'ok', detail: value, value };
  } catch (error) {
    if (error instanceof CalculationError)
      return { status: 'error', detail: error.message, value: undefined };
    throw error;
  }
}

/** Written as plain text, run, and repaired from its error at most twice. */
async function runCode(acting: Acting, wanted: string): Promise<number> {
  const { model, question, notebook, toolbox, report, signal, budget, programs } = acting;
  notebook.try('code', wanted);
  budget.spent.programs += 1;
  let failed: { source: string; error: string } | undefined;
  for (let attempt = 0; attempt <= REPAIRS_MAX; attempt++) {
    const messages = codePrompt({ question, task: wanted, facts: notebook.facts, failed });
    const source = programIn(await textOf(model.write({ messages, maxTokens: PROGRAM_TOKENS }, signal)));
    if (source === '') continue;
    const [outcome] = await report.tools(
      [
        {
          name: 'code',
          detail: wanted,
          work: () => toolbox.sandbox.run(source, { signal }).then(toolResult),
        },
      ],
      signal,
    );
    if (outcome?.status === 'ok') {
      programs.push(source);
      const output = outcome.output.trim().slice(0, OUTPUT_SHOWN) || 'nothing';
      const url = `askd:program/${programs.length}`;
      const title = `Program ${programs.length}: ${wanted}`;
      return Number(
        notebook.addFact({
          source: { kind: 'program', url, title },
          fact: `The program printed: ${output}`,
          quote: output,
        }),
      );
    }
    failed = { source, error: outcome?.error ?? 'the program did not run' };
  }
  return 0;
}

function toolResult(outcome: CodeOutcome): ToolResult<CodeOutcome> {
  const { status, error } = outcome;
  return status === 'ok'
    ? { status: 'ok', detail: counted(outcome.output.length, 'character'), value: outcome }
    : { status: 'error', detail: error ?? status, value: outcome };
}

function programIn(text: string): string {
  const [, block] = /```(?:\w+)?\s*\n([\s\S]*?)(?:```|$)/.exec(text) ?? [];
  return (block ?? text).trim();
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

function candidatesOf({ notebook }: Acting, ids: readonly number[]): Candidate[] {
  return notebook.candidates.filter(({ id, state }) => ids.includes(id) && state === 'unread');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
