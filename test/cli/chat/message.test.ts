import { expect, test } from 'vitest';
import { readMessageText } from '../../../cli/chat/message.ts';

test.each([
  ['one line', { complete: true, message: 'one line' }],
  ['pasted\nin one go', { complete: true, message: 'pasted\nin one go' }],
  ['"""first', { complete: false, message: '' }],
  ['"""first\nsecond"""', { complete: true, message: 'first\nsecond' }],
  ['"""\nfirst\n\nsecond\n"""', { complete: true, message: 'first\n\nsecond' }],
  ['"""all here"""', { complete: true, message: 'all here' }],
  ['"""', { complete: false, message: '' }],
  ['say """ here', { complete: true, message: 'say """ here' }],
])('%j', (text, expected) => {
  expect(readMessageText(text)).toEqual(expected);
});
