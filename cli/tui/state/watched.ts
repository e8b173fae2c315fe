import type { AgentEvent } from '../../../src/api/tasks/agent.ts';

/** What is kept of a run, and of how many runs. */
const DEEDS_MAX = 500;
const RUNS_MAX = 20;

export type Done = Extract<AgentEvent, { type: 'done' }>;
type ToolStatus = Extract<AgentEvent, { type: 'tool' }>['status'];

/** A row of what a run did: a thought, or a tool from its start to its end. */
export type Deed =
  | { kind: 'step'; text: string; cycle?: number }
  | {
      kind: 'tool';
      id: string;
      name: string;
      status: ToolStatus;
      about: string;
      result?: string;
      ms?: number;
    };

/** A run of the agent as its stream has told it so far. */
export type Watched = {
  deeds: readonly Deed[];
  cycle: number;
  /** The answer while it is written. */
  text: string;
  end?: Done | { type: 'error'; message: string };
  /** Why its stream broke off; it may go on without us. */
  broke?: string;
  /** Begun on this dashboard: it ends with it. */
  isMine: boolean;
};

type Runs = Readonly<Record<string, Watched>>;
type RunAction =
  | { type: 'watch'; run: string; isMine: boolean }
  | { type: 'run'; run: string; event: AgentEvent }
  | { type: 'unwatched'; run: string; reason: string | undefined };

export function reduceRuns(runs: Runs, action: RunAction): Runs {
  const { [action.run]: watched, ...others } = runs;
  switch (action.type) {
    // Its stream tells all from the beginning.
    case 'watch':
      return { ...latest(others), [action.run]: { deeds: [], cycle: 0, text: '', isMine: action.isMine } };
    case 'run':
      return watched ? { ...runs, [action.run]: reduceWatched(watched, action.event) } : runs;
    case 'unwatched':
      if (watched === undefined || watched.end || action.reason === undefined)
        return watched?.end ? runs : others;
      return { ...runs, [action.run]: { ...watched, broke: action.reason } };
  }
}

/** The oldest that are over make room; they can be asked for again. */
function latest(runs: Runs): Runs {
  const all = Object.entries(runs);
  const excess = all.length - (RUNS_MAX - 1);
  return excess <= 0
    ? runs
    : Object.fromEntries(all.filter(([, { end }], index) => end === undefined || index >= excess));
}

export function reduceWatched(watched: Watched, event: AgentEvent): Watched {
  switch (event.type) {
    case 'step': {
      const { message: text, cycle } = event;
      const deed: Deed = { kind: 'step', text, ...(cycle !== undefined && { cycle }) };
      return { ...watched, cycle: cycle ?? watched.cycle, deeds: bounded([...watched.deeds, deed]) };
    }
    case 'tool':
      return { ...watched, deeds: bounded(withTool(watched.deeds, event)) };
    case 'token':
      return { ...watched, text: watched.text + event.delta };
    case 'done':
      return { ...watched, text: event.answer, end: event };
    case 'error':
      return { ...watched, end: { type: 'error', message: event.message } };
  }
}

/** The end of a tool takes the place of its start. */
function withTool(
  deeds: readonly Deed[],
  { id, name, status, detail, ms }: Extract<AgentEvent, { type: 'tool' }>,
): readonly Deed[] {
  const at = deeds.findLastIndex((deed) => deed.kind === 'tool' && deed.id === id);
  const started = deeds[at];
  if (started?.kind !== 'tool') return [...deeds, { kind: 'tool', id, name, status, about: detail ?? '' }];
  const ended = {
    ...started,
    status,
    ...(detail !== undefined && { result: detail }),
    ...(ms !== undefined && { ms }),
  };
  return deeds.with(at, ended);
}

function bounded(deeds: readonly Deed[]): readonly Deed[] {
  return deeds.length <= DEEDS_MAX ? deeds : deeds.slice(-DEEDS_MAX);
}
