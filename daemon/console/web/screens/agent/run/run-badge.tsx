import type { AgentRun } from '../../../../../../src/api/tasks/agent.ts';

/** How a run ended, in words. */
const STOPPED: Readonly<Record<string, string>> = {
  answered: 'answered',
  cycle_limit: 'answered at its cycle limit',
  token_budget: 'answered at its token limit',
  deadline: 'answered at its time limit',
  stalled: 'answered, found nothing new',
  no_sources: 'nothing found',
  cancelled: 'stopped',
};

export function RunBadge({ run: { status, stopped } }: { run: Pick<AgentRun, 'status' | 'stopped'> }) {
  const text = status === 'finished' || status === 'cancelled' ? (STOPPED[stopped ?? ''] ?? status) : status;
  return <span className={`badge ${toneOf(status, stopped)}`}>{text}</span>;
}

function toneOf(status: AgentRun['status'], stopped: AgentRun['stopped']): string {
  if (status === 'failed' || status === 'interrupted') return 'bad';
  if (status === 'running') return 'live';
  if (status === 'cancelled' || stopped === 'no_sources') return 'warn';
  return 'good';
}
