import { expect, test } from 'vitest';
import type { SavedMessage } from '../../../src/api/management/chats.ts';
import { branchesOf, endOf, lineTo } from '../../../cli/chat/branches.ts';

const message = (id: string, parent?: string): SavedMessage => ({
  ...{ id, role: 'user', content: id },
  ...(parent !== undefined && { parent }),
});

const question = message('a');
const messages = [
  question,
  message('a1', 'a'),
  message('a2', 'a'),
  message('b', 'a1'),
  message('c', 'b'),
  message('d'),
];
const ids = (all: readonly SavedMessage[]) => all.map(({ id }) => id);

test('messages with the same parent are branches, also those without one', () => {
  expect(ids(branchesOf(messages, message('x', 'a')))).toEqual(['a1', 'a2']);
  expect(ids(branchesOf(messages, question))).toEqual(['a', 'd']);
});

test('a branch leads to its last message, the latest where it branches again', () => {
  expect(endOf(messages, 'a1')).toBe('c');
  expect(endOf(messages, 'a')).toBe('a2');
  expect(ids(lineTo(messages, endOf(messages, 'a1')))).toEqual(['a', 'a1', 'b', 'c']);
});
