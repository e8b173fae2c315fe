import { expect, test } from 'vitest';
import { nearNames, suggestion } from '../../../src/base/did-you-mean.ts';

test('a name is near when few letters are wrong, however its words are joined', () => {
  expect(nearNames('keep-alife', ['keep_alive', 'port'])).toEqual(['keep_alive']);
  expect(nearNames('svc_chat_v1', ['svc-chat-v1', 'starter-embed'])[0]).toBe('svc-chat-v1');
  expect(nearNames('Chat', ['svc-chat-v1', 'svc-embed-v1'])).toEqual(['svc-chat-v1']);
});

test('what is like no name gets no suggestion', () => {
  expect(suggestion('nope', ['svc-chat-v1', 'starter-embed'])).toBe('');
  expect(suggestion('prot', ['port', 'keep_alive'])).toBe(' Did you mean port?');
});
