import type { Budget } from './budget.ts';
import type { Notebook } from './notebook.ts';
import type { Mode } from '../types.ts';

/** The actions allowed next. The grammar keeps the model from writing any other. */
export type Allowed = {
  search: boolean;
  read: number[];
  docs: boolean;
  calculate: boolean;
  code: boolean;
  answer: boolean;
};

/** The tools of this run, and how they did so far. */
export type Tools = {
  /** False once every provider has refused, for the rest of the run. */
  search: boolean;
  fetch: boolean;
  docs: boolean;
  /** Consecutive searches without a new result. */
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
