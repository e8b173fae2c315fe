import { expect, test } from 'vitest';
import {
  DEFAULTS,
  problemsOf,
  toBody,
  type Options,
} from '../../../../../daemon/console/web/screens/agent/ask/options.ts';
import { marked } from '../../../../../daemon/console/web/screens/agent/documents/marked.ts';

const ALL: Options = {
  ...{ model: 'm', maxCycles: '8', useWeb: false, docs: ['notes'] },
  ...{ urls: 'https://a.example/\n\n http://b.example ', tokens: '1000', seconds: '90', fetches: '0' },
  mode: 'coding',
};

test('the chosen options become a request that the daemon accepts, and defaults are left to it', () => {
  const whole = toBody('Why?', ALL, 'ses_1');
  expect(whole).toEqual({
    ...{ query: 'Why?', mode: 'coding', model: 'm', sessionId: 'ses_1', maxCycles: 8 },
    sources: { web: false, docs: ['notes'], urls: ['https://a.example/', 'http://b.example'] },
    budget: { tokens: 1000, ms: 90_000, fetches: 0 },
  });
  const least = toBody('Why?', DEFAULTS, undefined);
  expect(least).toEqual({ query: 'Why?', mode: 'research', model: 'svc-chat-v1' });
  expect([problemsOf(ALL), problemsOf(DEFAULTS)]).toEqual([{}, {}]);
});

test.each([
  [{ maxCycles: '9' }, { maxCycles: 'A whole number from 1 to 8.' }],
  [{ maxCycles: '1.5' }, { maxCycles: 'A whole number from 1 to 8.' }],
  [{ tokens: '999' }, { tokens: 'A whole number, at least 1000.' }],
  [{ fetches: '-1' }, { fetches: 'A whole number from 0 to 50.' }],
  [{ urls: 'javascript:alert(1)' }, { urls: 'Not a URL: javascript:alert(1)' }],
  [{ urls: 'https://a.example/\n'.repeat(11) }, { urls: 'At most 10 pages.' }],
])('%j is not sent', (part, problems) => {
  expect(problemsOf({ ...DEFAULTS, ...part })).toEqual(problems);
});

test('words of a passage are marked as the search found them', () => {
  expect(marked('He opens the doors.', 'opened a door')).toEqual([
    { text: 'He ', isMarked: false },
    { text: 'opens', isMarked: true },
    { text: ' the ', isMarked: false },
    { text: 'doors', isMarked: true },
    { text: '.', isMarked: false },
  ]);
});
