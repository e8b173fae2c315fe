import { describe, expect, test } from 'vitest';
import {
  joinedAgain,
  NOTHING,
  summaryOf,
  withEvent,
  type Watched,
} from '../../../../../daemon/console/web/screens/agent/run/run-state.ts';
import { placeOf, quoted } from '../../../../../daemon/console/web/screens/agent/run/places.ts';
import type { AgentEvent } from '../../../../../src/api/tasks/agent.ts';

const source = { kind: 'web', url: 'https://example.com/a', title: 'A' } as const;
const fact = (index: number): AgentEvent => ({ type: 'fact', index, source, fact: 'F', quote: 'Q' });
const EVENTS: readonly AgentEvent[] = [
  { type: 'step', seq: 1, message: 'Searching', phase: 'search', cycle: 1 },
  { type: 'tool', seq: 2, name: 'search', status: 'start', id: 't1', detail: 'words' },
  { type: 'tool', seq: 3, name: 'read', status: 'start', id: 't2', detail: 'https://example.com/a' },
  {
    type: 'tool',
    seq: 4,
    name: 'search',
    status: 'ok',
    id: 't1',
    detail: '1 result',
    ms: 5,
    found: [source],
  },
  { type: 'tool', seq: 5, name: 'read', status: 'blocked', id: 't2', ms: 7 },
  fact(0),
  { type: 'step', seq: 6, message: 'Writing the answer', phase: 'write' },
  { type: 'token', delta: 'It ' },
  { type: 'token', delta: 'is.' },
];
const watched = (events: readonly AgentEvent[], from: Watched = NOTHING) => events.reduce(withEvent, from);

describe('a run built from its stream', () => {
  test('shows the end of each tool where it started, and facts where they were found', () => {
    const { entries, text } = watched(EVENTS);
    expect(
      entries.map((entry) => (entry.kind === 'tool' ? `${entry.name} ${entry.status}` : entry.kind)),
    ).toEqual([...['step', 'search ok', 'read blocked', 'fact', 'step']]);
    expect(entries[1]).toMatchObject({ about: 'words', result: '1 result', ms: 5, found: [source] });
    expect(text).toBe('It is.');
  });

  test('has nothing twice when its stream is joined again', () => {
    const before = watched(EVENTS);
    const after = watched([fact(0), { type: 'token', delta: 'It is.' }, fact(1)], joinedAgain(before));
    expect(after.text).toBe('It is.');
    expect(after.facts.map(({ index }) => index)).toEqual([0, 1]);
    expect(after.entries.length).toBe(before.entries.length + 1);
  });

  test('says what it is doing while it runs, and what it did when it is over', () => {
    const running = watched(EVENTS);
    expect([summaryOf(NOTHING), summaryOf(running)]).toEqual(['Starting', 'Writing the answer']);
    const end: AgentEvent = { type: 'error', seq: 7, message: 'x', code: 'y', retryable: true };
    expect(summaryOf(withEvent(running, end))).toBe('1 search, 1 page, 1 fact');
    expect(summaryOf(withEvent(NOTHING, end))).toBe('Steps');
  });
});

test.each([
  ['The bridge was opened in 1931.', 'was opened', ['The bridge ', 'was opened', ' in 1931.']],
  ['Something else.', 'was opened', ['', 'was opened', '']],
  [undefined, 'was opened', ['', 'was opened', '']],
])('in %j, the quote %j is marked', (passage, quote, [before, middle, after]) => {
  expect(quoted({ quote, ...(passage !== undefined && { passage }) })).toEqual({
    before,
    quote: middle,
    after,
  });
});

test.each([
  ['https://example.com:8080/a', 'example.com:8080'],
  ['file:///home/me/two%20words.md', 'two words.md'],
  ['askd:calculate?1', 'askd'],
  ['not an address', 'not an address'],
  ['file:///bad%E0%A4%A', 'bad%E0%A4%A'],
])('%s is at %s', (url, place) => {
  expect(placeOf(url)).toBe(place);
});
