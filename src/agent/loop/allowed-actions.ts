import type { Budget } from './budget.ts';
import type { Notebook } from './notebook.ts';
import type { RunTool } from '../mcp/run-tools.ts';
import type { Mode } from '../types.ts';

/** The actions allowed next. The grammar keeps the model from writing any other. */
export type Allowed = {
  search: boolean;
  read: number[];
  docs: boolean;
  calculate: boolean;
  code: boolean;
  /** Tools of MCP servers, by the names that the model uses. */
  tools: readonly RunTool[];
  answer: boolean;
};

/** The tools of this run, and their record so far. */
export type Tools = {
  /** False once every provider has refused, for the rest of the run. */
  search: boolean;
  fetch: boolean;
  docs: boolean;
  /** Consecutive searches without a new result. */
  searchesWithoutNews: number;
  docsWithoutNews: number;
  mcp: readonly RunTool[];
};

const WITHOUT_NEWS_MAX = 3;

export function allowedActions(
  mode: Mode,
  { notebook, budget, tools: given }: { notebook: Notebook; budget: Budget; tools: Tools },
): Allowed {
  const hasFacts = notebook.facts.length > 0;
  const isCoding = mode === 'coding';
  const search = given.search && budget.maySearch() && given.searchesWithoutNews < WITHOUT_NEWS_MAX;
  const read = given.fetch && budget.fetchesLeft() > 0 ? notebook.unread().map(({ id }) => id) : [];
  const docs = given.docs && given.docsWithoutNews < WITHOUT_NEWS_MAX;
  const calculate = budget.mayCalculate() && (isCoding || hasFacts);
  const code = isCoding && budget.mayRunCode();
  const tools = given.mcp.length > 0 && budget.mayCallTools() ? given.mcp : [];
  const canLearn = search || read.length > 0 || docs || code || tools.length > 0;
  return { search, read, docs, calculate, code, tools, answer: hasFacts || !canLearn };
}

export function onlyAnswer({ search, read, docs, calculate, code, tools }: Allowed): boolean {
  return !search && read.length === 0 && !docs && !calculate && !code && tools.length === 0;
}
