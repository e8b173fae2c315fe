import { expect, test } from 'vitest';
import { similarNames, didYouMean } from '../../../src/base/did-you-mean.ts';

test('a name is near when few letters are wrong, however its words are joined', () => {
  expect(similarNames('keep-alife', ['keep_alive', 'port'])).toEqual(['keep_alive']);
  expect(similarNames('svc_chat_v1', ['svc-chat-v1', 'starter-embed'])[0]).toBe('svc-chat-v1');
  expect(similarNames('Chat', ['svc-chat-v1', 'svc-embed-v1'])).toEqual(['svc-chat-v1']);
});

test('text unlike any name gets no suggestion', () => {
  expect(didYouMean('nope', ['svc-chat-v1', 'starter-embed'])).toBe('');
  expect(didYouMean('prot', ['port', 'keep_alive'])).toBe(' Did you mean port?');
});
