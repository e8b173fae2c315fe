import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { AGENT_CYCLES_MAX } from '../account/limits.ts';
import { agentPolicy } from '../parameters/agent.ts';

export const AGENT_QUERY_MAX = 8000;

/** Response header of a request that starts a run: the run's id, for watching and cancelling it from elsewhere. */
export const RUN_HEADER = 'x-askd-run';

export const AgentMode = Type.Enum(['chat', 'research', 'coding']);
const Cycles = Type.Integer({ minimum: 1, maximum: AGENT_CYCLES_MAX });
const Query = Type.String({ minLength: 1, maxLength: AGENT_QUERY_MAX });
const Names = Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 });
const Urls = Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { maxItems: 10 });
const Stopped = Type.Enum([
  ...['answered', 'cycle_limit', 'token_budget', 'deadline', 'stalled', 'no_sources', 'cancelled'],
]);

const Common = {
  query: Query,
  mode: Type.Optional(AgentMode),
  sessionId: Type.Optional(Type.String({ minLength: 1 })),
  session_id: Type.Optional(Type.String({ minLength: 1 })),
  maxCycles: Type.Optional(Cycles),
  max_cycles: Type.Optional(Cycles),
  model: Type.Optional(Type.String({ minLength: 1 })),
};

const Facts = Type.Optional(
  Type.Boolean({
    description:
      'Stream what is found, too: each fact with its quote and the text around it, and what searches and reads ' +
      'returned.',
  }),
);

const Milliseconds = Type.Integer({ minimum: 1000, maximum: 3_600_000 });

export const AgentRunRequest = Type.Object(
  {
    ...Common,
    sources: Type.Optional(
      Type.Object(
        {
          web: Type.Optional(Type.Boolean()),
          docs: Type.Optional(Names),
          urls: Type.Optional(Urls),
          mcp: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), {
              maxItems: 20,
              description: 'MCP servers of the owner. Only tools that need no approval are used.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          tokens: Type.Optional(Type.Integer({ minimum: 1000 })),
          ms: Type.Optional(Milliseconds),
          fetches: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
        },
        { additionalProperties: false },
      ),
    ),
    stream: Type.Optional(Type.Boolean()),
    tokens: Type.Optional(Type.Boolean()),
    facts: Facts,
    background: Type.Optional(
      Type.Boolean({
        description: 'The run goes on when the client that started it disconnects. Watch it again by its id.',
      }),
    ),
  },
  { $id: 'AgentRunRequest', additionalProperties: false },
);
export type AgentRunRequest = Static<typeof AgentRunRequest>;

/** Either a question, which starts a run, or the id of a run, which is replayed from its beginning. */
export const AgentStreamQuery = Type.Object(
  {
    ...Common,
    query: Type.Optional(Query),
    run: Type.Optional(Type.String({ minLength: 1 })),
    tokens: Type.Optional(Type.Boolean()),
    facts: Facts,
    web: Type.Optional(Type.Boolean()),
    docs: Type.Optional(Names),
    url: Type.Optional(Urls),
    timeout_ms: Type.Optional(Milliseconds),
  },
  { $id: 'AgentStreamQuery', additionalProperties: false },
);
export type AgentStreamQuery = Static<typeof AgentStreamQuery>;

export const AgentUsage = Type.Object({
  cycles: Type.Integer(),
  model_calls: Type.Integer(),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  searches: Type.Integer(),
  fetches: Type.Integer(),
  fallbacks: Type.Integer({
    description: 'Unusable model outputs that were replaced by a fallback rule.',
  }),
  wall_ms: Type.Integer(),
});

const Source = Type.Object({
  n: Type.Integer({ description: 'The number under which the answer cites it.' }),
  kind: Type.Enum(['web', 'document', 'calculation', 'program', 'tool']),
  url: Type.String(),
  title: Type.String(),
  sha256: Type.Optional(Type.String()),
});

const Line = Type.Integer({ description: 'Of a local file of text or code, from 1.' });

const Citation = Type.Object({
  n: Type.Integer(),
  url: Type.String(),
  title: Type.String(),
  quote: Type.String({ description: 'The exact words of the source.' }),
  page: Type.Optional(Type.Integer()),
  line: Type.Optional(Line),
});

const Step = Type.Object({
  type: Type.Literal('step'),
  message: Type.String(),
  seq: Type.Integer(),
  cycle: Type.Optional(Type.Integer()),
  phase: Type.Optional(Type.Enum(['plan', 'search', 'read', 'think', 'write'])),
});

const Tool = Type.Object({
  type: Type.Literal('tool'),
  name: Type.Enum(['search', 'read', 'docs', 'calculate', 'code']),
  status: Type.Enum(['start', 'ok', 'empty', 'error', 'rate_limited', 'blocked', 'cancelled']),
  seq: Type.Integer(),
  id: Type.String({ description: 'Each start of a tool is followed by one end with the same id.' }),
  detail: Type.Optional(Type.String()),
  ms: Type.Optional(Type.Integer()),
  found: Type.Optional(
    Type.Array(Type.Object({ url: Type.String(), title: Type.String() }), {
      description:
        'With "facts": the results of a search, the page that was read, or the matching documents.',
    }),
  ),
});

const Finished = {
  answer: Type.String(),
  citations: Type.Array(Citation),
  sources: Type.Array(Source),
  stopped: Stopped,
  usage: AgentUsage,
};

export const AgentEvent = Type.Union(
  [
    Step,
    Tool,
    Type.Object({ type: Type.Literal('token'), delta: Type.String() }),
    Type.Object({
      type: Type.Literal('fact'),
      index: Type.Integer({
        description: 'Counts the facts of a run from 0. After a reconnection, the latest may come again.',
      }),
      source: Type.Object({
        kind: Source.properties.kind,
        url: Type.String(),
        title: Type.String(),
      }),
      fact: Type.String(),
      quote: Type.String({ description: 'The exact words of the passage.' }),
      page: Type.Optional(Type.Integer()),
      line: Type.Optional(Line),
      heading: Type.Optional(Type.String()),
      passage: Type.Optional(Type.String({ description: 'The text around the quote.' })),
    }),
    Type.Object({
      type: Type.Literal('done'),
      seq: Type.Integer(),
      run: Type.String(),
      session: Type.String(),
      ...Finished,
    }),
    Type.Object({
      type: Type.Literal('error'),
      seq: Type.Integer(),
      message: Type.String(),
      code: Type.String(),
      retryable: Type.Boolean(),
    }),
  ],
  { $id: 'AgentEvent' },
);
export type AgentEvent = Static<typeof AgentEvent>;

export const AgentResult = Type.Object(
  {
    id: Type.String(),
    session_id: Type.String(),
    mode: AgentMode,
    ...Finished,
    steps: Type.Array(Type.Union([Step, Tool])),
  },
  { $id: 'AgentResult' },
);
export type AgentResult = Static<typeof AgentResult>;

const Run = {
  id: Type.String(),
  session_id: Type.String(),
  mode: AgentMode,
  model: Type.String(),
  query: Type.String(),
  status: Type.Enum(['running', 'finished', 'failed', 'cancelled', 'interrupted']),
  stopped: Type.Union([Stopped, Type.Null()]),
  max_cycles: Type.Integer(),
  answer: Type.Union([Type.String(), Type.Null()]),
  started_at: Type.String(),
  ended_at: Type.Union([Type.String(), Type.Null()]),
  credits: Type.Number({ description: 'What its requests were charged so far.' }),
};

export const AgentRun = Type.Object(Run, { $id: 'AgentRun' });
export type AgentRun = Static<typeof AgentRun>;

export const WholeAgentRun = Type.Object(
  {
    ...Run,
    steps: Type.Array(Type.Union([Step, Tool])),
    sources: Type.Array(Source),
    citations: Type.Array(Citation),
    usage: Type.Union([AgentUsage, Type.Null()]),
  },
  { $id: 'WholeAgentRun' },
);
export type WholeAgentRun = Static<typeof WholeAgentRun>;

const tag = 'Agent';

export const runAgent = endpoint({
  method: 'POST',
  path: '/v1/agent/run',
  summary: 'Answer a question by searching, reading and reasoning, with citations',
  tag,
  access: 'chat',
  body: AgentRunRequest,
  policy: agentPolicy,
  response: AgentResult,
  event: AgentEvent,
});

export const streamAgent = endpoint({
  method: 'GET',
  path: '/v1/agent/stream',
  summary: 'The same as a stream of events; with "run", watch an existing run',
  tag,
  access: 'chat',
  query: AgentStreamQuery,
  response: AgentResult,
  event: AgentEvent,
});

export const listAgentRuns = endpoint({
  method: 'GET',
  path: '/v1/agent/runs',
  summary: 'List the latest runs of this key, newest first',
  tag,
  access: 'chat',
  response: Type.Object({ data: Type.Array(AgentRun) }, { $id: 'AgentRuns' }),
});

export const getAgentRun = endpoint({
  method: 'GET',
  path: '/v1/agent/runs/{id}',
  summary: 'Get a run with its steps, sources and citations',
  tag,
  access: 'chat',
  response: WholeAgentRun,
});

export const cancelAgentRun = endpoint({
  method: 'POST',
  path: '/v1/agent/runs/{id}/cancel',
  summary: 'Stop a run; responds once it has stopped',
  tag,
  access: 'chat',
  response: WholeAgentRun,
});
