import { expect, test } from 'vitest';
import { fuzzyMatches } from '../../../../cli/tui/dialog/fuzzy.ts';

const items = ['svc-chat-v1', 'starter-chat', 'qwen3-4b', 'whisper-base'].map((text) => ({ text }));
const found = (query: string) => fuzzyMatches(items, query).map(({ text }) => text);

test('letters in their order find a name, and letters together come first', () => {
  expect(found('chat')).toEqual(['svc-chat-v1', 'starter-chat']);
  expect(found('q4')).toEqual(['qwen3-4b']);
  expect(found('STCH')).toEqual(['starter-chat']);
  expect(found('b4q')).toEqual([]);
  expect(found('')).toHaveLength(4);
});
