import type { AgentEvent } from '../../../src/api/tasks/agent.ts';

/** Limits of stored steps and runs. */
const STEPS_MAX = 500;
const RUNS_MAX = 20;

export type Done = Extract<AgentEvent, { type: 'done' }>;
type ToolStatus = Extract<AgentEvent, { type: 'tool' }>['status'];

/** A step of a run: a thought, or a tool call from start to end. */
export type Step =
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

/** A run as its stream has reported it so far. */
export type Watched = {
  steps: readonly Step[];
  cycle: number;
  /** The partial answer. */
  text: string;
  end?: Done | { type: 'error'; message: string };
  /** Why its stream was interrupted; the run may continue. */
  broke?: string;
  /** Started on this dashboard: it ends with it. */
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
    // Its stream starts over.
    case 'watch':
      return { ...latest(others), [action.run]: { steps: [], cycle: 0, text: '', isMine: action.isMine } };
    case 'run':
      return watched ? { ...runs, [action.run]: reduceWatched(watched, action.event) } : runs;
    case 'unwatched':
      if (watched === undefined || watched.end || action.reason === undefined)
        return watched?.end ? runs : others;
      return { ...runs, [action.run]: { ...watched, broke: action.reason } };
  }
}

/** The oldest finished runs are dropped; they can be fetched again. */
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
      const step: Step = { kind: 'step', text, ...(cycle !== undefined && { cycle }) };
      return { ...watched, cycle: cycle ?? watched.cycle, steps: bounded([...watched.steps, step]) };
    }
    case 'tool':
      return { ...watched, steps: bounded(withTool(watched.steps, event)) };
    case 'fact':
      return watched;
    case 'token':
      return { ...watched, text: watched.text + event.delta };
    case 'done':
      return { ...watched, text: event.answer, end: event };
    case 'error':
      return { ...watched, end: { type: 'error', message: event.message } };
  }
}

/** The end of a tool replaces its start. */
function withTool(
  steps: readonly Step[],
  { id, name, status, detail, ms }: Extract<AgentEvent, { type: 'tool' }>,
): readonly Step[] {
  const at = steps.findLastIndex((step) => step.kind === 'tool' && step.id === id);
  const started = steps[at];
  if (started?.kind !== 'tool') return [...steps, { kind: 'tool', id, name, status, about: detail ?? '' }];
  const ended = {
    ...started,
    status,
    ...(detail !== undefined && { result: detail }),
    ...(ms !== undefined && { ms }),
  };
  return steps.with(at, ended);
}

function bounded(steps: readonly Step[]): readonly Step[] {
  return steps.length <= STEPS_MAX ? steps : steps.slice(-STEPS_MAX);
}
