import type { AgentUsage } from '../types.ts';

/** Shares of the context, in tokens. The rest is for instructions and short answers. */
const SHARES: readonly { upTo: number; evidence: number; history: number; answer: number }[] = [
  // With so small a context, a model cannot read many texts at once.
  { upTo: 2048, evidence: 0.26, history: 0.06, answer: 0.17 },
  { upTo: 4096, evidence: 0.44, history: 0.06, answer: 0.17 },
  { upTo: 8192, evidence: 0.55, history: 0.05, answer: 0.12 },
  { upTo: 16_384, evidence: 0.61, history: 0.05, answer: 0.09 },
  { upTo: Infinity, evidence: 0.61, history: 0.045, answer: 0.076 },
];
const CONTEXT_USED_MAX = 32_768;
const CONTEXTS_PER_RUN = 6;
/** The share of time and tokens reserved for the answer. */
const RESERVED = 0.2;
const BYTES_MAX = 20 * 1024 * 1024;
const SEARCHES_MAX = 6;
const FETCHES_MAX = 12;
const CALCULATIONS_MAX = 6;
const PROGRAMS_MAX = 3;
const TOOL_CALLS_MAX = 8;

export type Room = { context: number; evidence: number; history: number; answer: number };

export function roomIn(contextTokens: number): Room {
  const context = Math.min(contextTokens, CONTEXT_USED_MAX);
  const { evidence, history, answer } = SHARES.find(({ upTo }) => context <= upTo) ?? SHARES.at(-1)!;
  const of = (share: number) => Math.floor(context * share);
  return { context, evidence: of(evidence), history: of(history), answer: of(answer) };
}

export type Budget = ReturnType<typeof createBudget>;

/** What a run may use. */
export function createBudget({ contextTokens, usage, limits }: Options) {
  const { tokens = contextTokens * CONTEXTS_PER_RUN, fetches = FETCHES_MAX } = limits;
  const spent = { bytes: 0, calculations: 0, programs: 0, toolCalls: 0 };
  return {
    spent,
    room: roomIn(contextTokens),
    hasTokens: () => usage.prompt_tokens + usage.completion_tokens < tokens * (1 - RESERVED),
    maySearch: () => usage.searches < SEARCHES_MAX,
    fetchesLeft: () => (spent.bytes < BYTES_MAX ? Math.max(0, fetches - usage.fetches) : 0),
    mayCalculate: () => spent.calculations < CALCULATIONS_MAX,
    mayCallTools: () => spent.toolCalls < TOOL_CALLS_MAX,
    mayRunCode: () => spent.programs < PROGRAMS_MAX,
  };
}

type Options = {
  contextTokens: number;
  usage: AgentUsage;
  limits: { tokens?: number; fetches?: number };
};

/** How long a run may gather facts before it must write the answer. */
export const gatheringMs = (totalMs: number): number => totalMs * (1 - RESERVED);
