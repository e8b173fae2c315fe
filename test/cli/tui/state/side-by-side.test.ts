import { expect, test } from 'vitest';
import { withBegun, withToggled } from '../../../../cli/tui/state/side-by-side.ts';
import type { AgentRun } from '../../../../src/api/tasks/agent.ts';
import { DATA } from '../../../helpers/terminal/tui-data.ts';

const [SOME_RUN] = DATA.runs ?? [];

function run(id: string, status: AgentRun['status'] = 'running'): AgentRun {
  return { ...(SOME_RUN as AgentRun), id, status };
}

/** Newest first, as the daemon lists them. */
const listed = (...runs: AgentRun[]) => runs.toReversed();

test('runs that work join in the order in which they began', () => {
  const runs = listed(run('a', 'finished'), run('b'), run('c'));
  expect(withBegun([], runs)).toEqual(['b', 'c']);
});

test('a run that has ended stays while another works, and leaves when the next one begins alone', () => {
  const both = listed(run('a', 'finished'), run('b'));
  expect(withBegun(['a', 'b'], both, both)).toEqual(['a', 'b']);
  const three = listed(run('a', 'finished'), run('b'), run('c'));
  expect(withBegun(['a', 'b'], three, both)).toEqual(['a', 'b', 'c']);
  const later = listed(run('a', 'finished'), run('b', 'finished'), run('c'));
  expect(withBegun(['a', 'b'], later, both)).toEqual(['c']);
});

test('a run that was taken away does not come back by itself, and one that was deleted leaves', () => {
  const both = listed(run('a'), run('b'));
  const shown = withToggled(['a', 'b'], run('a'));
  expect(shown).toEqual(['b']);
  expect(withBegun(shown, both, both)).toEqual(['b']);
  expect(withToggled(shown, run('a'))).toEqual(['b', 'a']);
  expect(withBegun(['a', 'b'], listed(run('b')), both)).toEqual(['b']);
});

test('when there are many, those that have ended make room, and the earliest that work stay', () => {
  const before = listed(run('a', 'finished'), run('b'), run('c', 'finished'), run('d'));
  const many = listed(
    ...['b', 'd', 'e', 'f', 'g'].map((id) => run(id)),
    run('a', 'finished'),
    run('c', 'finished'),
  );
  expect(withBegun(['a', 'b', 'c', 'd'], many, before)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  const working = listed(...[...'bcdefghi'].map((id) => run(id)));
  expect(withBegun([], working)).toEqual([...'bcdefg']);
});
