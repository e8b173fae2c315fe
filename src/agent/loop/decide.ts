import type { Allowed } from './allowed-actions.ts';
import type { Model } from '../model.ts';
import type { Notebook } from './notebook.ts';
import { decisionPrompt } from '../prompts.ts';
import { decisionSchema, type Decision } from '../schemas.ts';
import type { Mode } from '../types.ts';

const TOKENS_MAX = 260;
const SHORT_THOUGHT = 80;

export type Deciding = {
  model: Model;
  mode: Mode;
  question: string;
  allowed: Allowed;
  notebook: Notebook;
  /** Queries that were planned and not yet used. */
  spareQueries: string[];
  failures: readonly string[];
  cycle: number;
  maxCycles: number;
  onFallback: () => void;
  signal: AbortSignal;
};

/** Chooses the next action: the model's choice, or a rule if the model fails. Never the same action twice. */
export async function decide(deciding: Deciding): Promise<Decision> {
  const { model, allowed, onFallback, signal } = deciding;
  const messages = decisionPrompt(deciding);
  for (const thoughtLength of [undefined, SHORT_THOUGHT]) {
    const schema = decisionSchema(allowed, thoughtLength);
    const decision = await model.ask<Decision>({ messages, schema, maxTokens: TOKENS_MAX }, signal);
    if (decision) return guard(decision, deciding);
  }
  onFallback();
  return byRule(deciding);
}

/** Replaces a repeated action with a new one. */
function guard(decision: Decision, deciding: Deciding): Decision {
  const { notebook, spareQueries, allowed } = deciding;
  const { action, thought } = decision;
  if (action === 'search') {
    const isNew = (query: string) => !notebook.wasTried('search', query);
    const queries = [...new Set(decision.queries.map((query) => query.trim()))].filter(isNew);
    if (queries.length > 0) return { action, thought, queries };
    const spare = spareQueries.find(isNew);
    return spare === undefined ? insteadOf(decision, deciding) : { action, thought, queries: [spare] };
  }
  if (action === 'read') {
    const sources = [...new Set(decision.sources)].filter((id) => allowed.read.includes(id));
    return sources.length > 0 ? { action, thought, sources } : insteadOf(decision, deciding);
  }
  const isRepeated =
    (action === 'docs' && notebook.wasTried('docs', decision.query)) ||
    (action === 'calculate' &&
      notebook.tried.some(({ tool, text }) => tool === action && text === decision.expression));
  return isRepeated ? insteadOf(decision, deciding) : decision;
}

/** The alternative to a repeated action: an unread page, or the answer. */
function insteadOf({ action, thought }: Decision, { allowed }: Deciding): Decision {
  const [next] = action === 'read' ? [] : allowed.read;
  return next === undefined
    ? { action: 'answer', thought, confidence: 'partial' }
    : { action: 'read', thought, sources: [next] };
}

function byRule({ mode, question, allowed, notebook }: Deciding): Decision {
  const thought = '';
  const untried = (tool: string) => !notebook.tried.some((each) => each.tool === tool);
  const [next] = allowed.read;
  if (mode === 'coding' && allowed.code && untried('code'))
    return { action: 'code', thought, task: question };
  if (allowed.search && untried('search')) return { action: 'search', thought, queries: [question] };
  if (allowed.docs && untried('docs')) return { action: 'docs', thought, query: question };
  if (next !== undefined) return { action: 'read', thought, sources: [next] };
  return { action: 'answer', thought, confidence: 'partial' };
}
