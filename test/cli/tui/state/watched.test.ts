import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../../src/api/tasks/agent.ts';
import * as watched from '../../../../cli/tui/state/watched.ts';

const NOW = 72_000;
const nothing = watched.beginToWatch(false, NOW);
const reduceRuns = (...[runs, action]: readonly [Runs, Parameters<typeof watched.reduceRuns>[1]]) =>
  watched.reduceRuns(runs, action, NOW);
const watch = (events: readonly AgentEvent[], from = nothing) =>
  events.reduce((before, event) => watched.reduceWatched(before, event, NOW), from);

type Runs = Parameters<typeof watched.reduceRuns>[0];
const tool = (id: string, status: 'start' | 'ok' | 'empty', detail: string, ms?: number): AgentEvent => ({
  type: 'tool',
  seq: 1,
  name: 'docs',
  status,
  id,
  detail,
  ...(ms !== undefined && { ms }),
});
const done: AgentEvent = {
  type: 'done',
  seq: 9,
  run: 'run_1',
  session: 'ses_1',
  answer: 'The Mira [1].',
  citations: [],
  sources: [],
  stopped: 'answered',
  usage: {
    ...{ cycles: 1, model_calls: 1, prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    ...{ searches: 0, fetches: 0, fallbacks: 0, wall_ms: 1 },
  },
};

describe('a run that is watched', () => {
  test('has one row for each tool, from its start to its end', () => {
    const { tree } = watch([
      tool('t1', 'start', 'a'),
      tool('t2', 'start', 'b'),
      tool('t1', 'ok', '2 passages', 12),
    ]);
    expect(tree.branches).toMatchObject([
      {
        leaves: [
          { kind: 'tool', id: 't1', name: 'docs', status: 'ok', about: 'a', result: '2 passages', ms: 12 },
          { kind: 'tool', id: 't2', name: 'docs', status: 'start', about: 'b' },
        ],
      },
    ]);
  });

  test('shows what is written, and at its end the answer that was checked', () => {
    const writing = watch([
      { type: 'step', seq: 1, message: 'Writing', cycle: 2 },
      { type: 'token', delta: 'The Mi' },
      { type: 'token', delta: 'ra, and more' },
    ]);
    expect(writing.cycle).toBe(2);
    expect(watched.answerOf(writing)).toBe('The Mira, and more');
    const ended = watch([done], writing);
    expect(watched.answerOf(ended)).toBe('The Mira [1].');
    expect(ended.tree.end).toMatchObject({ stopped: 'answered' });
  });

  test('keeps the latest of many steps and tools, and each tool ends in its own row', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 500, maxLength: 700 }), (ids) => {
        const events = ids.flatMap((id, index) => [
          tool(`t${index}`, 'start', String(id)),
          ...(id > 4 ? [{ type: 'step' as const, seq: 1, message: String(id) }] : []),
          tool(`t${index}`, id % 2 === 0 ? 'ok' : 'empty', String(id), id),
        ]);
        const { branches } = watch(events).tree;
        expect(branches.length).toBeLessThanOrEqual(200);
        for (const { leaves } of branches) {
          expect(leaves.length).toBeLessThanOrEqual(200);
          for (const leaf of leaves)
            if (leaf.kind === 'tool' && leaf.status !== 'start')
              expect(leaf.status).toBe(Number(leaf.about) % 2 === 0 ? 'ok' : 'empty');
        }
      }),
      { numRuns: 5 },
    );
  });
});

describe('the runs that are watched', () => {
  const watch = (run: string) => ({ type: 'watch', run, isMine: false }) as const;

  test('start again with each stream, which replays everything', () => {
    let runs = reduceRuns({}, watch('run_1'));
    runs = reduceRuns(runs, { type: 'run', run: 'run_1', event: { type: 'token', delta: 'half' } });
    runs = reduceRuns(runs, { type: 'unwatched', run: 'run_1', reason: 'the connection was closed' });
    expect(runs['run_1']).toMatchObject({ tree: { draft: 'half' }, broke: 'the connection was closed' });
    expect(reduceRuns(runs, watch('run_1'))['run_1']).toEqual(nothing);
  });

  test('are forgotten when nobody looks, unless they are over', () => {
    const open = reduceRuns({}, watch('run_1'));
    const left = { type: 'unwatched', run: 'run_1', reason: undefined } as const;
    expect(reduceRuns(open, left)).toEqual({});
    const over = reduceRuns(open, { type: 'run', run: 'run_1', event: done });
    expect(reduceRuns(over, left)).toBe(over);
  });

  test('stay few: the oldest that are over leave first, one that works stays', () => {
    let runs = reduceRuns({}, watch('run_working'));
    for (let index = 0; index < 50; index++) {
      runs = reduceRuns(runs, watch(`run_${index}x`));
      runs = reduceRuns(runs, { type: 'run', run: `run_${index}x`, event: done });
    }
    expect(Object.keys(runs).length).toBeLessThanOrEqual(21);
    expect(runs).toHaveProperty('run_working');
    expect(runs).toHaveProperty('run_49x');
  });
});
