export const MODES = ['chat', 'research', 'coding'] as const;
export type Mode = (typeof MODES)[number];

export type Stopped =
  'answered' | 'cycle_limit' | 'token_budget' | 'deadline' | 'stalled' | 'no_sources' | 'cancelled';

/** What somebody wants to know, and what may be used for it. */
export type Task = {
  query: string;
  mode: Mode;
  maxCycles: number;
  model: string;
  sources: { web?: boolean; docs?: readonly string[]; urls?: readonly string[] };
  budget: { tokens?: number; ms?: number; fetches?: number };
};

export type Phase = 'plan' | 'search' | 'read' | 'think' | 'write';
export type ToolName = 'search' | 'read' | 'docs' | 'calculate' | 'code';
export type ToolEnd = 'ok' | 'empty' | 'error' | 'rate_limited' | 'blocked' | 'cancelled';

export type Source = {
  /** As the answer cites it. */
  n: number;
  kind: 'web' | 'document' | 'calculation' | 'program';
  url: string;
  title: string;
  sha256?: string;
};

/** Something that a source says, in the very words of the quote. */
export type Fact = { source: Source; fact: string; quote: string; page?: number };

export type Citation = { n: number; url: string; title: string; quote: string; page?: number };

export type AgentUsage = {
  cycles: number;
  model_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  searches: number;
  fetches: number;
  fallbacks: number;
  wall_ms: number;
};

export type Result = {
  answer: string;
  citations: Citation[];
  sources: Source[];
  stopped: Stopped;
};

/** What a run tells while it works. A token comes before the answer is checked: only `done` has what counts. */
export type AgentEvent =
  | { type: 'step'; message: string; cycle?: number; phase?: Phase }
  | { type: 'tool'; name: ToolName; status: 'start'; id: string; detail?: string }
  | { type: 'tool'; name: ToolName; status: ToolEnd; id: string; detail?: string; ms: number }
  | ({ type: 'done'; run: string; session: string; usage: AgentUsage } & Result)
  | { type: 'error'; message: string; code: string; retryable: boolean };

/** With its place in the run. */
export type NumberedEvent = AgentEvent & { seq: number };

export type Turn = { role: 'user' | 'assistant'; content: string };
