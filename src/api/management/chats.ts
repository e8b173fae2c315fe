import { ChatMessage, CHAT_MESSAGES_MAX } from '../chat/chat.ts';
import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

/** Refers to the last unnamed conversation. */
export const LAST_CHAT = 'last';

const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  description: 'Unique. By default, it is made from the first question.',
});
const Title = Type.String({ minLength: 1, maxLength: 200 });
const Model = Type.String({ minLength: 1, maxLength: 512 });
const System = Type.String({ minLength: 1 });
const MessageId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });

const Message = Type.Object(
  {
    id: MessageId,
    parent: Type.Optional(
      Type.String({ description: 'The message before it. Messages with the same parent are branches.' }),
    ),
    model: Type.Optional(Type.String({ maxLength: 512, description: 'The model that wrote it.' })),
    ...ChatMessage.properties,
  },
  { $id: 'SavedChatMessage', additionalProperties: false },
);
export type SavedMessage = Static<typeof Message>;

const Chat = {
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  model: Type.String(),
  created_at: Type.String(),
  changed_at: Type.String(),
};

export const ChatSummary = Type.Object({ ...Chat, messages: Type.Integer() }, { $id: 'SavedChatSummary' });
export type ChatSummary = Static<typeof ChatSummary>;

export const SavedChat = Type.Object(
  {
    ...Chat,
    system: Type.Union([Type.String(), Type.Null()]),
    current: Type.Union([Type.String(), Type.Null()], {
      description: 'The last message of the branch that is shown.',
    }),
    messages: Type.Array(Message, { description: 'Of all branches, in the order in which they were added.' }),
  },
  { $id: 'SavedChat' },
);
export type SavedChat = Static<typeof SavedChat>;

export const NewChat = Type.Object(
  {
    name: Type.Optional(Name),
    title: Type.Optional(Title),
    model: Model,
    system: Type.Optional(System),
    messages: Type.Optional(Type.Array(Message, { maxItems: CHAT_MESSAGES_MAX })),
  },
  { $id: 'NewSavedChat', additionalProperties: false },
);
export type NewChat = Static<typeof NewChat>;

export const ChatChange = Type.Object(
  {
    name: Type.Optional(Name),
    title: Type.Optional(Title),
    model: Type.Optional(Model),
    system: Type.Optional(Type.Union([System, Type.Null()])),
    current: Type.Optional(Type.Union([MessageId, Type.Null()])),
  },
  { $id: 'SavedChatChange', additionalProperties: false },
);
export type ChatChange = Static<typeof ChatChange>;

export const ChatHit = Type.Object(
  {
    chat: ChatSummary,
    message: Type.String(),
    role: Type.String(),
    snippet: Type.String({ description: 'The text around the first match, on one line.' }),
    marks: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      description: 'Where the words are in the snippet: from and to, in UTF-16 units.',
    }),
  },
  { $id: 'SavedChatHit' },
);
export type ChatHit = Static<typeof ChatHit>;

const Page = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    after: Type.Optional(Type.String({ description: 'The id of the last conversation of the page before.' })),
  },
  { additionalProperties: false },
);
export type ChatPage = Static<typeof Page>;

const Search = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 200 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  },
  { $id: 'SavedChatSearch', additionalProperties: false },
);
export type ChatSearch = Static<typeof Search>;

/** Conversations are as private as the account: the owner can read them, ordinary keys cannot. */
const common = { tag: 'Saved chats', access: 'control' } as const;
const all = '/api/daemon/chats';
const one = `${all}/{chat}` as const;

export const listChats = endpoint({
  ...common,
  method: 'GET',
  path: all,
  summary: 'List the saved conversations, latest first',
  query: Page,
  response: Type.Object(
    { data: Type.Array(ChatSummary), has_more: Type.Boolean() },
    { $id: 'SavedChatList' },
  ),
});

export const createChat = endpoint({
  ...common,
  method: 'POST',
  path: all,
  summary: 'Save a conversation',
  body: NewChat,
  status: 201,
  response: SavedChat,
});

export const searchChats = endpoint({
  ...common,
  method: 'POST',
  path: `${all}/search`,
  summary: 'Find messages of saved conversations that contain all words, latest first',
  body: Search,
  response: Type.Object({ data: Type.Array(ChatHit) }, { $id: 'SavedChatHits' }),
});

export const getChat = endpoint({
  ...common,
  method: 'GET',
  path: one,
  summary: 'Get a saved conversation with its messages, by name or id',
  response: SavedChat,
});

export const updateChat = endpoint({
  ...common,
  method: 'PATCH',
  path: one,
  summary: 'Rename a saved conversation, or change its model, system prompt or shown branch',
  body: ChatChange,
  clearable: ['system', 'current'],
  response: ChatSummary,
});

export const putChatMessage = endpoint({
  ...common,
  method: 'PUT',
  path: `${one}/messages`,
  summary: 'Add a message to a saved conversation, or replace the message with this id',
  body: Message,
  response: ChatSummary,
});

export const deleteChat = endpoint({
  ...common,
  method: 'DELETE',
  path: one,
  summary: 'Delete a saved conversation',
  response: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: 'SavedChatDeleted' }),
});
