import type { AgentRun } from '../../../src/api/tasks/agent.ts';
import { formatSince } from '../../output/format.ts';
import { span, type Span } from '../render/lines.ts';
import { renderRuns, scrollRuns } from '../render/run-columns.ts';
import type { Screen } from '../screen.ts';
import { runState } from '../render/run-state.ts';

export const agentScreen: Screen<AgentRun> = {
  title: 'Agent',
  rows: ({ data }) => data.runs,
  id: ({ id }) => id,
  empty: 'No agent runs yet. n asks a question.',
  share: { above: 0.3, left: 0.4 },
  columns: (state, theme) => [
    { title: 'STATE', value: (run) => stateSpan(run, theme.glyphs), width: 13 },
    { title: 'QUESTION', value: ({ query }) => query, width: 'rest' },
    { title: 'MODE', value: ({ mode }) => mode, width: 8, from: 70 },
    { title: 'BEGAN', value: ({ started_at: at }) => formatSince(at, state.now), width: 11 },
  ],
  detail: renderRuns,
  scroll: scrollRuns,
};

function stateSpan(run: AgentRun, glyphs: Parameters<typeof runState>[1]): Span {
  const { mark, word, color } = runState(run, glyphs);
  return span(`${mark} ${word}`, { color });
}
