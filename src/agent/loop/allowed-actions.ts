import type { Budget } from './budget.ts';
import type { Notebook } from './notebook.ts';
import type { Mode } from '../types.ts';

/** What may be done next. What is not here cannot even be written by the model. */
export type Allowed = {
  search: boolean;
  read: number[];
  docs: boolean;
  calculate: boolean;
  code: boolean;
  answer: boolean;
};

/** What this run can use at all, and how that went so far. */
export type Tools = {
  /** Off once a provider refuses us, for the rest of the run. */
  search: boolean;
  fetch: boolean;
  docs: boolean;
  /** In a row. */
  searchesWithoutNews: number;
  docsWithoutNews: number;
};

const WITHOUT_NEWS_MAX = 3;

export function allowedActions(
  mode: Mode,
  { notebook, budget, tools }: { notebook: Notebook; budget: Budget; tools: Tools },
): Allowed {
  const hasFacts = notebook.facts.length > 0;
  const isCoding = mode === 'coding';
  const search = tools.search && budget.maySearch() && tools.searchesWithoutNews < WITHOUT_NEWS_MAX;
  const read = tools.fetch && budget.fetchesLeft() > 0 ? notebook.unread().map(({ id }) => id) : [];
  const docs = tools.docs && tools.docsWithoutNews < WITHOUT_NEWS_MAX;
  const calculate = budget.mayCalculate() && (isCoding || hasFacts);
  const code = isCoding && budget.mayRunCode();
  const canLearn = search || read.length > 0 || docs || code;
  return { search, read, docs, calculate, code, answer: hasFacts || !canLearn };
}

export function onlyAnswer({ search, read, docs, calculate, code }: Allowed): boolean {
  return !search && read.length === 0 && !docs && !calculate && !code;
}
