import type { ChatSummary, SavedChat } from '../../../src/api/management/chats.ts';
import type { Action } from '../../../cli/tui/state/reduce.ts';
import { NOON } from './tui.tsx';

export const AGO = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

const CHAT = {
  ...{ id: 'chat_1', name: 'ways-to-sort', title: 'Ways to sort', model: 'svc-chat-v1' },
  ...{ created_at: AGO(40), changed_at: AGO(2) },
};

export const CHATS: readonly ChatSummary[] = [
  { ...CHAT, messages: 4 },
  {
    ...{
      id: 'chat_2',
      name: 'trip',
      title: 'Where to in \u001b[31mMay\u001b[0m, and for how long?',
      messages: 2,
    },
    ...{ model: 'larger-model', created_at: AGO(3000), changed_at: AGO(2900) },
  },
];

/** A conversation with thoughts, a table and code. */
export const CONVERSATION: SavedChat = {
  ...CHAT,
  system: null,
  current: 'msg_4',
  messages: [
    { id: 'msg_1', role: 'user', content: 'Which ways are there to sort?\nBriefly.' },
    {
      ...{ id: 'msg_2', parent: 'msg_1', role: 'assistant', model: 'svc-chat-v1' },
      reasoning_content: 'The user wants few words. I name two ways and compare them.',
      content:
        'There are **many**. Two of them:\n\n| Way | Time |\n|---|--:|\n| quick | 1 ms |\n| bubble | 90 ms |\n',
    },
    { id: 'msg_3', parent: 'msg_2', role: 'user', content: 'Show me the first. \u001b]0;evil\u0007' },
    {
      ...{ id: 'msg_4', parent: 'msg_3', role: 'assistant', model: 'larger-model' },
      content:
        'With *nothing* but `sort`:\n\n```js\nconst sorted = list.toSorted(); // a copy\n```\n\nMore at [MDN](https://developer.mozilla.org).',
    },
  ],
};

/** The conversation is opened, and an answer arrives in it. */
export const CHAT_EVENTS: readonly Action[] = [
  { type: 'chat', change: { kind: 'loaded', conversation: CONVERSATION } },
  { type: 'view', screen: 'chat', view: { selected: 'chat_1' } },
  {
    type: 'chat',
    change: {
      kind: 'message',
      chat: 'chat_1',
      message: { id: 'msg_5', parent: 'msg_4', role: 'user', content: 'And the second?' },
    },
  },
  {
    type: 'chat',
    change: { kind: 'begun', chat: 'chat_1', reply: { id: 'msg_6', parent: 'msg_5', model: 'svc-chat-v1' } },
  },
  { type: 'chat', change: { kind: 'arrived', chat: 'chat_1', thought: 'Only for teaching.' } },
  { type: 'chat', change: { kind: 'arrived', chat: 'chat_1', text: 'It compares each pair of ' } },
];
