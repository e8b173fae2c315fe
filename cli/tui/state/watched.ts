import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import { growTree, plantTree, type RunTree } from '../live/tree.ts';

/** Limits of what is stored of a run, and of stored runs. */
const BRANCHES_MAX = 200;
const LEAVES_MAX = 200;
const RUNS_MAX = 20;

export type Done = Extract<AgentEvent, { type: 'done' }>;

/** A run as its stream has reported it so far. */
export type Watched = {
  tree: RunTree;
  cycle: number;
  /** Why its stream was interrupted; the run may continue. */
  broke?: string;
  /** Started on this dashboard, so it ends with it. */
  isMine: boolean;
};

type Runs = Readonly<Record<string, Watched>>;
type RunAction =
  | { type: 'watch'; run: string; isMine: boolean }
  | { type: 'run'; run: string; event: AgentEvent }
  | { type: 'unwatched'; run: string; reason: string | undefined };

export function reduceRuns(runs: Runs, action: RunAction, now: number): Runs {
  const { [action.run]: watched, ...others } = runs;
  switch (action.type) {
    // Its stream starts over.
    case 'watch':
      return { ...latest(others), [action.run]: beginToWatch(action.isMine, now) };
    case 'run':
      return watched ? { ...runs, [action.run]: reduceWatched(watched, action.event, now) } : runs;
    case 'unwatched':
      if (watched === undefined || watched.tree.end || action.reason === undefined)
        return watched?.tree.end ? runs : others;
      return { ...runs, [action.run]: { ...watched, broke: action.reason } };
  }
}

export function beginToWatch(isMine: boolean, now: number): Watched {
  return { tree: plantTree('', now), cycle: 0, isMine };
}

/** The oldest finished runs are dropped; they can be fetched again. */
function latest(runs: Runs): Runs {
  const all = Object.entries(runs);
  const excess = all.length - (RUNS_MAX - 1);
  return excess <= 0
    ? runs
    : Object.fromEntries(all.filter(([, { tree }], index) => tree.end === undefined || index >= excess));
}

export function reduceWatched(watched: Watched, event: AgentEvent, now: number): Watched {
  const tree = bounded(growTree(watched.tree, event, now));
  const cycle = event.type === 'step' ? (event.cycle ?? watched.cycle) : watched.cycle;
  return { ...watched, tree, cycle };
}

/** The answer so far, and at the end the one whose citations were checked. */
export function answerOf({ tree: { end, draft } }: Watched): string {
  return end?.type === 'done' ? end.answer : draft;
}

function bounded(tree: RunTree): RunTree {
  const last = tree.branches.at(-1);
  if (tree.branches.length <= BRANCHES_MAX && (last?.leaves.length ?? 0) <= LEAVES_MAX) return tree;
  const branches = tree.branches.slice(-BRANCHES_MAX);
  return {
    ...tree,
    branches: branches.map((each) =>
      each === last ? { ...each, leaves: each.leaves.slice(-LEAVES_MAX) } : each,
    ),
  };
}
