import type { AgentEvent } from '../../../src/api/tasks/agent.ts';

type Event<Type> = Extract<AgentEvent, { type: Type }>;
export type Phase = NonNullable<Event<'step'>['phase']>;

export type ToolLeaf = {
  kind: 'tool';
  id: string;
  name: string;
  status: Event<'tool'>['status'];
  about: string;
  startedAt: number;
  result?: string;
  ms?: number;
  found: readonly { url: string; title: string }[];
};
export type FactLeaf = { kind: 'fact'; fact: Event<'fact'> };
export type Leaf = ToolLeaf | FactLeaf;

/** A step of a run, with the tools it called and the facts they brought. */
export type Branch = { text: string; startedAt: number; leaves: readonly Leaf[] };

/** A run as reported by its events so far. All but the last branch are complete and no longer change. */
export type RunTree = {
  question: string;
  startedAt: number;
  /** In order of arrival; the last one is in progress. */
  phases: readonly Phase[];
  branches: readonly Branch[];
  facts: number;
  /** The answer as it is written, before its citations are checked. */
  draft: string;
  end?: Event<'done'> | Event<'error'> | { type: 'left' };
};

export function plantTree(question: string, now: number): RunTree {
  return { question, startedAt: now, phases: [], branches: [], facts: 0, draft: '' };
}

export function growTree(tree: RunTree, event: AgentEvent, now: number): RunTree {
  switch (event.type) {
    case 'step': {
      const { message: text, phase } = event;
      const phases =
        phase === undefined ? tree.phases : [...tree.phases.filter((each) => each !== phase), phase];
      return { ...tree, phases, branches: [...tree.branches, { text, startedAt: now, leaves: [] }] };
    }
    case 'tool':
      return withLeaves(tree, now, (leaves) => withTool(leaves, event, now));
    case 'fact': {
      // After a reconnection, the latest ones may come again.
      if (event.index < tree.facts) return tree;
      const facts = event.index + 1;
      return { ...withLeaves(tree, now, (leaves) => [...leaves, { kind: 'fact', fact: event }]), facts };
    }
    case 'token':
      return { ...tree, draft: tree.draft + event.delta };
    case 'done':
    case 'error':
      return { ...tree, end: event };
  }
}

function withLeaves(
  tree: RunTree,
  now: number,
  change: (leaves: readonly Leaf[]) => readonly Leaf[],
): RunTree {
  const last = tree.branches.at(-1) ?? { text: '', startedAt: now, leaves: [] };
  return { ...tree, branches: [...tree.branches.slice(0, -1), { ...last, leaves: change(last.leaves) }] };
}

/** The end of a tool replaces its start. */
function withTool(leaves: readonly Leaf[], event: Event<'tool'>, now: number): readonly Leaf[] {
  const { id, name, status, detail, ms, found = [] } = event;
  const at = leaves.findIndex((leaf) => leaf.kind === 'tool' && leaf.id === id);
  const started = leaves[at];
  if (started?.kind !== 'tool')
    return [...leaves, { kind: 'tool', id, name, status, about: detail ?? '', startedAt: now, found }];
  const ended = {
    ...started,
    status,
    found,
    ...(detail !== undefined && { result: detail }),
    ...(ms !== undefined && { ms }),
  };
  return leaves.with(at, ended);
}
