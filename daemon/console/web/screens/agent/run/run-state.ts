import type { AgentEvent } from '../../../../../../src/api/tasks/agent.ts';

type ToolEvent = Extract<AgentEvent, { type: 'tool' }>;
export type Fact = Extract<AgentEvent, { type: 'fact' }>;
export type Done = Extract<AgentEvent, { type: 'done' }>;
export type Failed = Extract<AgentEvent, { type: 'error' }>;
export type Found = NonNullable<ToolEvent['found']>[number];

/** What the timeline shows, in the order in which it happened. */
export type Entry =
  | { kind: 'step'; message: string; phase: string | undefined; cycle: number | undefined }
  | {
      kind: 'tool';
      id: string;
      name: ToolEvent['name'];
      status: ToolEvent['status'];
      about: string;
      result: string | undefined;
      ms: number | undefined;
      found: readonly Found[];
    }
  | { kind: 'fact'; fact: Fact };

/** A run as reported by its stream so far. */
export type Watched = {
  entries: readonly Entry[];
  facts: readonly Fact[];
  /** The answer while it is written. */
  text: string;
  end?: Done | Failed;
};

export const NOTHING: Watched = { entries: [], facts: [], text: '' };

export function withEvent(watched: Watched, event: AgentEvent): Watched {
  const { entries, facts } = watched;
  switch (event.type) {
    case 'step': {
      const { message, phase, cycle } = event;
      return { ...watched, entries: [...entries, { kind: 'step', message, phase, cycle }] };
    }
    case 'tool':
      return { ...watched, entries: withTool(entries, event) };
    case 'fact':
      // After a reconnection, the latest ones may come again.
      if (event.index < facts.length) return watched;
      return { ...watched, facts: [...facts, event], entries: [...entries, { kind: 'fact', fact: event }] };
    case 'token':
      return { ...watched, text: watched.text + event.delta };
    case 'done':
    case 'error':
      return { ...watched, end: event };
  }
}

/** The stream restarts the answer for each new viewer. */
export function joinedAgain(watched: Watched): Watched {
  return { ...watched, text: '' };
}

/** The end of a tool replaces its start. */
function withTool(entries: readonly Entry[], event: ToolEvent): readonly Entry[] {
  const { id, name, status, detail, ms, found = [] } = event;
  const at = entries.findIndex((entry) => entry.kind === 'tool' && entry.id === id);
  const started = entries[at];
  if (started?.kind !== 'tool') {
    const about = detail ?? '';
    return [...entries, { kind: 'tool', id, name, status, about, result: undefined, ms, found }];
  }
  return entries.with(at, { ...started, status, result: detail, ms, found });
}

/** What it is doing now or how it ended, in a few words. */
export function summaryOf({ entries, facts, end }: Watched): string {
  if (end === undefined) {
    const last = entries.findLast((entry) => entry.kind === 'step');
    return last?.kind === 'step' ? last.message : 'Starting';
  }
  const tools = entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.name] : []));
  const counted = (count: number, what: string) =>
    count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : what.endsWith('h') ? 'es' : 's'}`];
  const of = (...names: string[]) => tools.filter((name) => names.includes(name)).length;
  const parts = [
    ...counted(of('search', 'docs'), 'search'),
    ...counted(of('read'), 'page'),
    ...counted(of('calculate'), 'calculation'),
    ...counted(of('code'), 'program'),
    ...counted(facts.length, 'fact'),
  ];
  return parts.length === 0 ? 'Steps' : parts.join(', ');
}
