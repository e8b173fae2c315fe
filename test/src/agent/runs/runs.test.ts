import { expect, onTestFinished, test } from 'vitest';
import { createRuns } from '../../../../src/agent/runs/runs.ts';
import { openStore } from '../../../../src/store/store.ts';
import { settableClock } from '../../../helpers/clock.ts';

const OWNER = { accountId: 'acct_local', keyId: null };
const QUESTIONS = ['one', 'two', 'three', 'four', 'five'];
const usage = {
  ...{ cycles: 1, model_calls: 1, prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  ...{ searches: 0, fetches: 0, fallbacks: 0, wall_ms: 1 },
};

/** The rows of runs, all of which start and end within one millisecond. */
function openRuns() {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const runs = createRuns({ store, clock: settableClock() });
  const common = { model: 'm', maxCycles: 1, sources: {}, seesCollections: true, budget: {} };
  const task = { mode: 'chat', ...common } as const;
  const begin = (query: string, session?: string) => runs.begin({ ...task, query }, OWNER, session);
  const result = { usage, sources: [], citations: [] };
  const answered = { status: 'finished', stopped: 'answered', result } as const;
  const end = (id: string, answer: string) =>
    runs.end(id, { ...answered, answer }, { type: 'step', seq: 1, message: 'done' });
  return { runs, begin, end };
}

test('runs and sessions that began in the same millisecond are listed in order, the latest first', () => {
  const { runs, begin } = openRuns();
  for (const query of QUESTIONS) begin(query);
  expect(runs.list(OWNER).map(({ query }) => query)).toEqual(QUESTIONS.toReversed());
  expect(runs.listSessions(OWNER).map(({ title }) => title)).toEqual(QUESTIONS.toReversed());
});

test('a conversation whose turns came in the same millisecond continues from the latest four, in order', () => {
  const { begin, end } = openRuns();
  const { id, sessionId } = begin('zero');
  end(id, 'answer to zero');
  for (const query of QUESTIONS) end(begin(query, sessionId).id, `answer to ${query}`);
  const { history } = begin('and now?', sessionId);
  expect(history.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(
    QUESTIONS.slice(1),
  );
});
