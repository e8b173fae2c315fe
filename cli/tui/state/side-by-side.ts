import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import type { State } from './state.ts';

const RUNS_MAX = 6;

/**
 * The runs shown side by side after these were fetched, newest first: runs started in the meantime are added.
 * Finished ones make room, all of them if nothing else is in progress.
 */
export function withBegun(
  shown: readonly string[],
  runs: readonly AgentRun[],
  before: readonly AgentRun[] = [],
): readonly string[] {
  const working = new Set(runs.filter(({ status }) => status === 'running').map(({ id }) => id));
  const known = shown.filter((id) => runs.some((run) => run.id === id));
  const begun = [...working].filter((id) => !before.some((run) => run.id === id)).toReversed();
  if (begun.length === 0) return known;
  const kept = known.some((id) => working.has(id)) ? known : [];
  return withRoom([...kept, ...begun], (id) => working.has(id));
}

/** The oldest finished ones leave first. Runs without room are in the list. */
function withRoom(ids: readonly string[], isWorking: (id: string) => boolean): readonly string[] {
  const excess = ids.length - RUNS_MAX;
  if (excess <= 0) return ids;
  const leaving = new Set(ids.filter((id) => !isWorking(id)).slice(0, excess));
  return ids.filter((id) => !leaving.has(id)).slice(0, RUNS_MAX);
}

/** Puts a run beside the others, or removes it. */
export function withToggled(shown: readonly string[], { id }: AgentRun): readonly string[] {
  return shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id].slice(-RUNS_MAX);
}

/** The runs on the screen when this one has focus: several side by side, or only this one. */
export function runsShownWith(state: State, run: AgentRun): readonly AgentRun[] {
  const { pane, filter } = state.views.agent;
  const { data, sideBySide } = state;
  if (pane === 'list' || filter !== '' || !sideBySide.includes(run.id)) return [run];
  return sideBySide.flatMap((id) => data.runs?.find((each) => each.id === id) ?? []);
}
