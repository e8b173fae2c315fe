import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import type { Color } from './lines.ts';
import type { Glyphs } from './theme.ts';

/** The state of a run: a symbol, a word and a colour, each sufficient alone. */
export function runState(
  { status, stopped }: Pick<AgentRun, 'status' | 'stopped'>,
  glyphs: Glyphs,
): { mark: string; word: string; color: Color } {
  if (status === 'running') return { mark: glyphs.waiting, word: 'running', color: 'yellow' };
  if (status === 'cancelled' || stopped === 'cancelled')
    return { mark: glyphs.none, word: 'cancelled', color: 'yellow' };
  if (status !== 'finished') return { mark: glyphs.off, word: status, color: 'red' };
  if (stopped === 'answered') return { mark: glyphs.on, word: 'answered', color: 'green' };
  return { mark: glyphs.none, word: (stopped ?? status).replace('_', ' '), color: 'yellow' };
}
