export const MODES = ['chat', 'research', 'coding'] as const;
export type Mode = (typeof MODES)[number];

export type Stopped =
  'answered' | 'cycle_limit' | 'token_budget' | 'deadline' | 'stalled' | 'no_sources' | 'cancelled';

/** The question, and what may be used to answer it. */
export type Task = {
  query: string;
  mode: Mode;
  maxCycles: number;
  model: string;
  sources: { web?: boolean; docs?: readonly string[]; urls?: readonly string[]; mcp?: readonly string[] };
  /** Whether the owner's collections of documents can be searched. */
  seesCollections: boolean;
  budget: { tokens?: number; ms?: number; fetches?: number };
};

export type Phase = 'plan' | 'search' | 'read' | 'think' | 'write';
export type ToolName = 'search' | 'read' | 'docs' | 'calculate' | 'code' | 'mcp';
export type ToolEnd = 'ok' | 'empty' | 'error' | 'rate_limited' | 'blocked' | 'cancelled';

export type Source = {
  /** The citation number. */
  n: number;
  kind: 'web' | 'document' | 'calculation' | 'program' | 'tool';
  url: string;
  title: string;
  sha256?: string;
};

/** A statement of a source, with the verbatim quote that supports it. */
export type Fact = {
  source: Source;
  fact: string;
  quote: string;
  page?: number;
  /** Of the file, from 1; for text and code. */
  line?: number;
  /** The text around the quote, and the headings above it. */
  passage?: string;
  heading?: string;
};

/** A fact, and the event of its run that it followed. */
export type PlacedFact = { after: number; fact: Fact };

/** A search result, a page that was read, or a document with a matching passage. */
export type Found = { url: string; title: string };

export type Citation = {
  n: number;
  url: string;
  title: string;
  quote: string;
  page?: number;
  line?: number;
};

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

/** The events of a run. Tokens arrive before the citations are checked, so only `done` has the final answer. */
export type AgentEvent =
  | { type: 'step'; message: string; cycle?: number; phase?: Phase }
  | { type: 'tool'; name: ToolName; status: 'start'; id: string; detail?: string }
  | {
      type: 'tool';
      name: ToolName;
      status: ToolEnd;
      id: string;
      detail?: string;
      ms: number;
      found?: readonly Found[];
    }
  | ({ type: 'done'; run: string; session: string; usage: AgentUsage } & Result)
  | { type: 'error'; message: string; code: string; retryable: boolean };

/** With its position in the run. */
export type NumberedEvent = AgentEvent & { seq: number };

export type Turn = { role: 'user' | 'assistant'; content: string };
