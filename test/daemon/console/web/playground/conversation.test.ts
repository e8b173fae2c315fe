import { expect, test } from 'vitest';
import type { ChatCompletionChunk } from '../../../../../src/api/chat/chat.ts';
import { addChunk } from '../../../../../daemon/console/web/screens/playground/chat/state/answer.ts';
import {
  chargesIn,
  costOf,
  withCharges,
} from '../../../../../daemon/console/web/screens/playground/chat/state/charges.ts';
import {
  afterReload,
  before,
  canContinue,
  openCalls,
  refusalsOf,
  withEditedMessage,
  withoutExchange,
} from '../../../../../daemon/console/web/screens/playground/chat/state/conversation.ts';
import { readConversation } from '../../../../../daemon/console/web/screens/playground/chat/state/import.ts';
import { toMessages } from '../../../../../daemon/console/web/screens/playground/chat/state/messages.ts';
import {
  answerTurn,
  userTurn,
  type AnswerTurn,
  type Turn,
} from '../../../../../daemon/console/web/screens/playground/chat/state/turn.ts';

const done = (content: string, more: Partial<AnswerTurn> = {}): AnswerTurn => ({
  ...answerTurn('m', { content }),
  state: 'done',
  ...more,
});

const chunk = (part: object, more: object = {}) =>
  ({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'm',
    choices: [{ index: 0, delta: {}, finish_reason: null, ...part }],
    ...more,
  }) as unknown as ChatCompletionChunk;

test('an answer grows by text, reasoning and calls, and records when its first token arrived', () => {
  const deltas = [
    { reasoning_content: 'Hm' },
    { reasoning_content: 'm.' },
    { content: 'Yes' },
    { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
    { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } }] },
  ];
  const answer = deltas.reduce(
    (now, delta, index) => addChunk(now, chunk({ delta }), 100 + index),
    answerTurn('m'),
  );
  expect(answer).toMatchObject({ state: 'streaming', firstMs: 100, reasoningMs: 1, totalMs: 105 });
  expect(answer.choices[0]).toMatchObject({
    content: 'Yes',
    reasoning: 'Hmm.',
    calls: [
      { id: 'a', name: 'f', text: '{}', isCustom: false },
      { id: 'b', name: 'g', text: 'x', isCustom: true },
    ],
  });
});

test('several choices of one answer grow apart', () => {
  const second = addChunk(answerTurn('m'), chunk({ index: 1, delta: { content: 'two' } }), 1);
  const both = addChunk(second, chunk({ delta: { content: 'one' }, finish_reason: 'stop' }), 2);
  expect(both.choices.map(({ content, finish }) => [content, finish])).toEqual([
    ['one', 'stop'],
    ['two', null],
  ]);
});

test('an edited message starts over from its place, with its files', () => {
  const file = { kind: 'document' as const, name: 'a.txt', url: 'data:text/plain;base64,YQ==' };
  const first = userTurn('one', [file]);
  const turns: Turn[] = [first, done('1'), userTurn('two'), done('2')];
  expect(withEditedMessage(turns, first.id, 'uno')).toMatchObject([{ text: 'uno', attachments: [file] }]);
  expect(before(turns, turns[3]?.id ?? '')).toEqual(turns.slice(0, 3));
  expect(withoutExchange(turns, first.id)).toEqual(turns.slice(2));
  expect(withoutExchange(turns, turns[2]?.id ?? '')).toEqual(turns.slice(0, 2));
});

test('a conversation is exported as messages, and importing them gives the same one', () => {
  const calls = [{ id: 'a', name: 'f', text: '{"x":1}', isCustom: false }];
  const turns: Turn[] = [
    userTurn('Look', [
      { kind: 'image', name: 'image', url: 'data:image/png;base64,AA==' },
      { kind: 'document', name: 'a.txt', url: 'data:text/plain;base64,YQ==' },
    ]),
    { ...answerTurn('m', { reasoning: 'Hm', calls }), state: 'done' },
    { kind: 'results', id: 'r', results: [{ id: 'a', name: 'f', content: '2' }] },
    done('Two.'),
  ];
  const messages = toMessages(turns);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  const { turns: back, system } = readConversation(
    JSON.stringify({ messages: [{ role: 'system', content: 'Be brief.' }, ...messages] }),
  );
  expect(system).toBe('Be brief.');
  expect(toMessages(back)).toEqual(messages);
});

test('an answer that failed before its first word is not sent again', () => {
  const failed: AnswerTurn = { ...answerTurn('m'), state: 'failed' };
  expect(toMessages([userTurn('a'), failed])).toEqual([{ role: 'user', content: 'a' }]);
});

test.each([
  ['nonsense', 'not JSON'],
  ['{}', 'no "messages"'],
  ['{"messages":[{"role":"user","content":"a"},{}]}', 'messages[1] has no "role"'],
  ['[{"role":"tool","tool_call_id":"x","content":"1"}]', 'the call "x", which no message has'],
  ['[{"role":"wizard"}]', 'the role "wizard"'],
  ['[{"role":"user","content":7}]', 'messages[0].content is neither'],
])('an import of %s says what is wrong', (text, message) => {
  expect(() => readConversation(text)).toThrow(message);
});

test('calls wait for results only at the end, and only a broken answer can be continued', () => {
  const calls = [{ id: 'a', name: 'f', text: '{}', isCustom: false }];
  const calling = { ...answerTurn('m', { calls }), state: 'done' as const };
  expect(openCalls([userTurn('a'), calling])).toEqual(calls);
  expect(openCalls([calling, userTurn('a')])).toEqual([]);
  expect(canContinue([done('half', { state: 'stopped' })])).toBe(true);
  expect(canContinue([{ ...answerTurn('m', { content: 'x', finish: 'length' }), state: 'done' }])).toBe(true);
  expect(canContinue([done('whole')])).toBe(false);
});

test('an error of the daemon is shown beside the parameter that caused it', () => {
  const problem = { message: 'No.', param: 'tools[0].function.parameters' };
  expect(refusalsOf([done('', { state: 'failed', problem })])).toEqual({ tools: 'No.' });
});

test('an answer that a reload cut off is shown as stopped', () => {
  expect(afterReload([{ ...answerTurn('m'), state: 'streaming' }])).toMatchObject([{ state: 'stopped' }]);
});

test('an answer costs what its requests were charged, and has no price before all of them are', () => {
  const data = {
    request_id: 'req_2',
    cost: 0.25,
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  };
  const event = { topic: 'chat' as const, id: 'e', created_at: '', type: 'chat.completed', data };
  const turns: Turn[] = [done('a', { requests: [{ id: 'req_1', credits: 0.5 }, { id: 'req_2' }] })];
  expect(costOf(turns[0] as AnswerTurn)).toBeUndefined();
  const [charged] = withCharges(turns, chargesIn([event])) as [AnswerTurn];
  expect(costOf(charged)).toBe(0.75);
  expect(charged.numbers).toMatchObject({ prompt: 3, completion: 4 });
  expect(withCharges([charged], chargesIn([event]))[0]).toBe(charged);
});
