import { toIso, type Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import { withoutFound } from './broadcast.ts';
import { createFacts } from './facts.ts';
import type {
  AgentEvent,
  AgentUsage,
  Citation,
  Mode,
  NumberedEvent,
  Result,
  Stopped,
  Task,
  Turn,
} from '../types.ts';

/** A run is visible to the key that started it and to the owner. */
export type Caller = { accountId: string; keyId: string | null };

export type RunStatus = 'running' | 'finished' | 'failed' | 'cancelled' | 'interrupted';

export type RunRecord = {
  id: string;
  session_id: string;
  mode: Mode;
  model: string;
  query: string;
  status: RunStatus;
  stopped: Stopped | null;
  max_cycles: number;
  answer: string | null;
  started_at: string;
  ended_at: string | null;
};

export type WholeRun = RunRecord & {
  steps: NumberedEvent[];
  sources: Result['sources'];
  citations: Citation[];
  usage: AgentUsage | null;
};

export type SessionRecord = {
  id: string;
  title: string;
  mode: Mode;
  runs: number;
  created_at: string;
  updated_at: string;
};

export type Runs = ReturnType<typeof createRuns>;

const TITLE_MAX = 80;
const LISTED_MAX = 100;
const SESSIONS_KEPT = 1000;

/** Stores runs and their sessions. */
export function createRuns({ store, clock }: { store: Store; clock: Clock }) {
  /** Finds or creates the session, then starts the run in it. A session has one run at a time. */
  function begin(
    task: Task,
    caller: Caller,
    sessionId?: string,
  ): { id: string; sessionId: string; history: Turn[] } {
    return store.transaction(() => {
      const now = clock.now();
      const session =
        sessionId === undefined ? addSession(task, caller, now) : findSession(sessionId, caller).id;
      const busy = store.prepare<{ id: string }>(RUNNING_IN).get(session);
      if (busy) {
        throw new Failure(
          'session_busy',
          `The session ${session} is still running ${busy.id}. Wait, or stop it: askd agent cancel ${busy.id}`,
          { param: 'sessionId' },
        );
      }
      const history = turnsOf(session);
      const id = newId('run', now);
      const { mode, model, query, maxCycles } = task;
      store.prepare(INSERT_RUN).run({ id, session, mode, model, query, maxCycles, now });
      store.prepare('UPDATE agent_sessions SET updated_at = ? WHERE id = ?').run(now, session);
      store.prepare(FORGET_SESSIONS).run({ accountId: caller.accountId, kept: SESSIONS_KEPT });
      return { id, sessionId: session, history };
    });
  }

  function addSession({ query, mode }: Task, { accountId, keyId }: Caller, now: number): string {
    const id = newId('ses', now);
    const title = query.replace(/\s+/g, ' ').slice(0, TITLE_MAX);
    store.prepare(INSERT_SESSION).run({ id, accountId, keyId, title, mode, now });
    return id;
  }

  function turnsOf(session: string): Turn[] {
    const runs = store.prepare<{ query: string; answer: string }>(TURNS).all(session).reverse();
    return runs.flatMap(({ query, answer }): Turn[] => [
      { role: 'user', content: query },
      { role: 'assistant', content: answer },
    ]);
  }

  function addEvent(runId: string, event: NumberedEvent): void {
    store.relaxedTransaction(() => {
      store
        .prepare('INSERT INTO agent_events(run_id, seq, event) VALUES(?, ?, ?)')
        .run(runId, event.seq, JSON.stringify(event));
    });
  }

  /** In one transaction with the event that reports it. */
  function end(runId: string, { status, stopped, answer, result }: Ending, last: NumberedEvent): void {
    store.transaction(() => {
      const now = clock.now();
      store.prepare(END_RUN).run({ runId, status, stopped, answer, result: JSON.stringify(result), now });
      addEvent(runId, last);
    });
  }

  function find(id: string, caller: Caller): WholeRun {
    const row = store.prepare<RunRow>(`${SELECT_RUNS} AND agent_runs.id = @id`).get({ ...owner(caller), id });
    if (!row)
      throw new Failure('not_found', `There is no run "${id}". List them: askd agent list`, { param: 'id' });
    const {
      usage = null,
      sources = [],
      citations = [],
    } = JSON.parse(row.result ?? '{}') as Partial<WholeRun>;
    return {
      ...toRecord(row),
      steps: eventsOf(id).filter(isStep).map(withoutFound),
      sources,
      citations,
      usage,
    };
  }

  function list(caller: Caller): RunRecord[] {
    return store
      .prepare<RunRow>(
        `${SELECT_RUNS} ORDER BY agent_runs.started_at DESC, agent_runs.rowid DESC LIMIT ${LISTED_MAX}`,
      )
      .all(owner(caller))
      .map(toRecord);
  }

  function eventsOf(runId: string, after = 0): NumberedEvent[] {
    const rows = store
      .prepare<{ event: string }>('SELECT event FROM agent_events WHERE run_id = ? AND seq > ? ORDER BY seq')
      .all(runId, after);
    return rows.map(({ event }) => JSON.parse(event) as NumberedEvent);
  }

  function findSession(id: string, caller: Caller): SessionRecord {
    const row = store
      .prepare<SessionRow>(`${SELECT_SESSIONS} AND agent_sessions.id = @id`)
      .get({ ...owner(caller), id });
    if (row) return toSession(row);
    throw new Failure('not_found', `There is no session "${id}". Omit it to start a new one.`, {
      param: 'sessionId',
    });
  }

  return {
    begin,
    addEvent,
    end,
    find,
    list,
    eventsOf,
    facts: createFacts({ store, clock }),
    findSession,
    listSessions: (caller: Caller) =>
      store
        .prepare<SessionRow>(`${SELECT_SESSIONS} ORDER BY updated_at DESC, rowid DESC LIMIT ${LISTED_MAX}`)
        .all(owner(caller))
        .map(toSession),
    runsOf: (sessionId: string, caller: Caller) =>
      list(caller)
        .filter((run) => run.session_id === sessionId)
        .reverse(),
    removeSession: (id: string, caller: Caller): void => {
      const session = findSession(id, caller);
      if (store.prepare(RUNNING_IN).get(id))
        throw new Failure(
          'session_busy',
          `The session ${id} has a run in progress. Find it with askd agent list and stop it: askd agent cancel RUN`,
        );
      store.transaction(() => store.prepare('DELETE FROM agent_sessions WHERE id = ?').run(session.id));
    },
    /** Marks the runs that an earlier daemon left unfinished. */
    interrupt: () => store.transaction(() => store.prepare(INTERRUPT).run(clock.now()).changes),
  };
}

export type Ending = {
  status: Exclude<RunStatus, 'running' | 'interrupted'>;
  stopped: Stopped | null;
  answer: string | null;
  result: { usage: AgentUsage; sources: Result['sources']; citations: Citation[] };
};

type RunRow = Omit<RunRecord, 'started_at' | 'ended_at'> & {
  started_at: number;
  ended_at: number | null;
  result: string | null;
};
type SessionRow = Omit<SessionRecord, 'created_at' | 'updated_at'> & {
  created_at: number;
  updated_at: number;
};

function toRecord(row: RunRow): RunRecord {
  const { id, session_id, mode, model, query, status, stopped, max_cycles, answer } = row;
  const ended_at = row.ended_at === null ? null : toIso(row.ended_at);
  const times = { started_at: toIso(row.started_at), ended_at };
  return { id, session_id, mode, model, query, status, stopped, max_cycles, answer, ...times };
}

function toSession({ created_at, updated_at, ...row }: SessionRow): SessionRecord {
  return { ...row, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}

function isStep({ type }: AgentEvent): boolean {
  return type === 'step' || type === 'tool';
}

/** The owner has no key and sees all runs. */
const owner = ({ accountId, keyId }: Caller) => ({ accountId, keyId });

const SELECT_RUNS = `
  SELECT agent_runs.id, session_id, agent_runs.mode, model, query, status, stopped, max_cycles, answer, result,
    agent_runs.started_at, ended_at
  FROM agent_runs JOIN agent_sessions ON agent_sessions.id = session_id
  WHERE account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId)`;

const SELECT_SESSIONS = `
  SELECT id, title, mode, created_at, updated_at,
    (SELECT count(*) FROM agent_runs WHERE session_id = agent_sessions.id) AS runs
  FROM agent_sessions WHERE account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId)`;

const INSERT_SESSION = `
  INSERT INTO agent_sessions(id, account_id, key_id, title, mode, created_at, updated_at)
  VALUES(@id, @accountId, @keyId, @title, @mode, @now, @now)`;

const INSERT_RUN = `
  INSERT INTO agent_runs(id, session_id, mode, model, query, status, max_cycles, started_at)
  VALUES(@id, @session, @mode, @model, @query, 'running', @maxCycles, @now)`;

const END_RUN = `
  UPDATE agent_runs SET status = @status, stopped = @stopped, answer = @answer, result = @result, ended_at = @now
  WHERE id = @runId AND status = 'running'`;

const INTERRUPT = `UPDATE agent_runs SET status = 'interrupted', ended_at = ? WHERE status = 'running'`;

const RUNNING_IN = `SELECT id FROM agent_runs WHERE session_id = ? AND status = 'running'`;

const TURNS = `
  SELECT query, answer FROM agent_runs WHERE session_id = ? AND status = 'finished' AND answer <> ''
  ORDER BY started_at DESC, rowid DESC LIMIT 4`;

const FORGET_SESSIONS = `
  DELETE FROM agent_sessions WHERE account_id = @accountId AND id NOT IN (
    SELECT id FROM agent_sessions WHERE account_id = @accountId ORDER BY updated_at DESC, rowid DESC LIMIT @kept)
  AND NOT EXISTS (SELECT 1 FROM agent_runs WHERE session_id = agent_sessions.id AND status = 'running')`;
