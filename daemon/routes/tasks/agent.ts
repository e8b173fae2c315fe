import {
  RUN_HEADER,
  cancelAgentRun,
  getAgentRun,
  listAgentRuns,
  runAgent,
  streamAgent,
  type AgentResult,
  type AgentRunRequest,
  type AgentStreamQuery,
} from '../../../src/api/tasks/agent.ts';
import {
  deleteAgentSession,
  getAgentSession,
  listAgentSessions,
} from '../../../src/api/tasks/agent-sessions.ts';
import type { StartedRun } from '../../../src/agent/agent.ts';
import type { Streamed } from '../../../src/agent/runs/broadcast.ts';
import type { Caller, RunRecord, WholeRun } from '../../../src/agent/runs/runs.ts';
import type { Principal } from '../../../src/access/keys.ts';
import type { Task } from '../../../src/agent/types.ts';
import { Failure } from '../../../src/base/errors.ts';
import { ACCOUNT_ID } from '../../auth/account.ts';
import { ownsMachine } from '../../auth/roles.ts';
import type { Services } from '../../compose.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';
import { DONE, PING, sendEvents, toEvent } from '../../http/sse.ts';

const DEFAULT_MODEL = 'svc-chat-v1';
const DEFAULT_CYCLES = { chat: 1, research: 5, coding: 5 };

/** The agent: a run ends with the connection that started it; watchers may come and go. */
export function registerAgent(register: RegisterRoute, { agent, requestUsage, tiers, log }: Services): void {
  const { creditsOf } = requestUsage;
  const stream = (reply: Call<typeof streamAgent>['reply'], events: AsyncIterable<Streamed>) =>
    sendEvents({
      reply,
      blocks: toBlocks(events),
      onFailure: ({ code, cause }) => log.warn({ code, cause }, 'the stream of an agent run failed'),
    });
  /**
   * On a personal daemon, keys belong to the owner's own programs. Keys of members and of a hosted daemon belong to
   * others.
   */
  const isOwnProgram = ({ accountId, memberId }: Principal) =>
    accountId === ACCOUNT_ID && memberId === undefined && tiers.profileOf(accountId) === 'personal';
  const seesCollections = (principal: Principal) => ownsMachine(principal) || isOwnProgram(principal);
  const begin = (
    asked: Asked,
    call: Pick<Call<typeof runAgent>, 'principal' | 'client'>,
    { session, background = false }: { session?: string | undefined; background?: boolean | undefined },
  ) => {
    const task = { ...asked, seesCollections: seesCollections(call.principal) };
    const run = agent.start(task, callerOf(call), session);
    if (!background) endWithClient(run, call.client);
    return run;
  };
  const withCredits = <Run extends RunRecord>(run: Run) => ({ ...run, credits: creditsOf(run.id) });

  register(runAgent, async (call) => {
    const { body, reply, request } = call;
    const run = begin(taskOfBody(body), call, { session: sessionOf(body), background: body.background });
    void reply.header(RUN_HEADER, run.id);
    const isStreamed = body.stream ?? (request.headers.accept ?? '').includes('text/event-stream');
    if (isStreamed)
      return stream(reply, run.follow({ withTokens: body.tokens ?? false, withFacts: body.facts ?? false }));
    return toResult(await run.ended);
  });
  register(streamAgent, async (call) => {
    const { query, reply, request } = call;
    const wanted = { withTokens: query.tokens ?? false, withFacts: query.facts ?? false };
    if (query.run !== undefined) {
      refuseBoth(query);
      const after = Number(request.headers['last-event-id'] ?? 0) || 0;
      return stream(reply, agent.follow(query.run, callerOf(call), { after, ...wanted }));
    }
    const run = begin(taskOfQuery(query), call, { session: sessionOf(query) });
    void reply.header(RUN_HEADER, run.id);
    return stream(reply, run.follow(wanted));
  });
  register(listAgentRuns, (call) => ({ data: agent.list(callerOf(call)).map(withCredits) }));
  register(getAgentRun, (call) => withCredits(agent.find(call.params['id'] ?? '', callerOf(call))) as never);
  register(
    cancelAgentRun,
    async (call) => withCredits(await agent.cancel(call.params['id'] ?? '', callerOf(call))) as never,
  );
  register(listAgentSessions, (call) => ({ data: agent.sessions.list(callerOf(call)) }));
  register(getAgentSession, (call) => {
    const id = call.params['id'] ?? '';
    const caller = callerOf(call);
    return { ...agent.sessions.find(id, caller), turns: agent.sessions.runsOf(id, caller).map(withCredits) };
  });
  register(deleteAgentSession, (call) => {
    const id = call.params['id'] ?? '';
    agent.sessions.remove(id, callerOf(call));
    return { id, deleted: true as const };
  });
}

function callerOf({ principal }: Pick<Call<typeof runAgent>, 'principal'>): Caller {
  return { accountId: principal.accountId, keyId: principal.keyId };
}

/** A client that started a run and disconnects ends it; a watcher does not. */
function endWithClient(run: StartedRun, client: AbortSignal): void {
  const leave = () => run.cancel(client.reason as Failure);
  if (client.aborted) return leave();
  client.addEventListener('abort', leave, { once: true });
  const settle = () => client.removeEventListener('abort', leave);
  run.ended.then(settle, settle);
}

type Named = Pick<
  AgentStreamQuery,
  'mode' | 'sessionId' | 'session_id' | 'maxCycles' | 'max_cycles' | 'model'
>;

type Asked = Omit<Task, 'seesCollections'>;

function taskOfBody(body: AgentRunRequest): Asked {
  return { query: body.query, ...common(body), sources: body.sources ?? {}, budget: body.budget ?? {} };
}

function taskOfQuery(query: AgentStreamQuery): Asked {
  const { web, docs, url: urls, timeout_ms: ms } = query;
  if (query.query === undefined) {
    throw new Failure('missing_required_parameter', 'The parameter "query" is required.', { param: 'query' });
  }
  const sources = { ...(web !== undefined && { web }), ...(docs && { docs }), ...(urls && { urls }) };
  return { query: query.query, ...common(query), sources, budget: ms === undefined ? {} : { ms } };
}

function common(named: Named): Pick<Task, 'mode' | 'maxCycles' | 'model'> {
  const mode = named.mode ?? 'research';
  const maxCycles = one(named.maxCycles, named.max_cycles, 'maxCycles') ?? DEFAULT_CYCLES[mode];
  return { mode, maxCycles, model: named.model ?? DEFAULT_MODEL };
}

function sessionOf(named: Named): string | undefined {
  return one(named.sessionId, named.session_id, 'sessionId');
}

/** Both spellings are accepted, but not together. */
function one<Value>(first: Value | undefined, second: Value | undefined, param: string): Value | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  throw new Failure('invalid_value', `Give "${param}" only once.`, { param });
}

function refuseBoth(query: AgentStreamQuery): void {
  const other = Object.keys(query).find((name) => !['run', 'tokens', 'facts'].includes(name));
  if (other === undefined) return;
  throw new Failure(
    'invalid_value',
    `"run" watches an existing run and cannot be combined with "${other}".`,
    { param: other },
  );
}

function toResult({
  id,
  session_id,
  mode,
  answer,
  steps,
  sources,
  citations,
  stopped,
  usage,
}: WholeRun): AgentResult {
  return {
    id,
    session_id,
    mode,
    answer: answer ?? '',
    steps,
    sources,
    citations,
    stopped,
    usage,
  } as AgentResult;
}

async function* toBlocks(events: AsyncIterable<Streamed>): AsyncGenerator<string> {
  // Sends the headers at once, so that the client knows the run's id before its first event.
  yield PING;
  for await (const event of events) {
    yield 'seq' in event ? `id: ${event.seq}\n${toEvent(event)}` : toEvent(event);
  }
  yield DONE;
}
