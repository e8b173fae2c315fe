import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { InputItem } from './response-input.ts';
import { ItemList, ItemListQuery } from './responses.ts';

const Metadata = Type.Record(Type.String(), Type.Unknown());

export const ITEMS_ADDED_MAX = 20;
const Items = Type.Array(InputItem, { maxItems: ITEMS_ADDED_MAX });

export const Conversation = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('conversation'),
    created_at: Type.Integer(),
    metadata: Metadata,
  },
  { $id: 'Conversation' },
);
export type Conversation = Static<typeof Conversation>;

const tag = 'Chat';
const access = 'chat' as const;
const policy = { withoutEffect: ['items[].status', 'items[].phase', 'items[].content[].annotations'] };

export const createConversation = endpoint({
  method: 'POST',
  path: '/v1/conversations',
  summary: 'Create a conversation, to which responses add their items',
  tag,
  access,
  body: Type.Object(
    { items: Type.Optional(Items), metadata: Type.Optional(Metadata) },
    { additionalProperties: false },
  ),
  policy,
  response: Conversation,
});

export const getConversation = endpoint({
  method: 'GET',
  path: '/v1/conversations/{id}',
  summary: 'Get a conversation',
  tag,
  access,
  response: Conversation,
});

export const updateConversation = endpoint({
  method: 'POST',
  path: '/v1/conversations/{id}',
  summary: 'Change the metadata of a conversation',
  tag,
  access,
  body: Type.Object({ metadata: Metadata }, { additionalProperties: false }),
  response: Conversation,
});

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/v1/conversations/{id}',
  summary: 'Delete a conversation with its items',
  tag,
  access,
  response: Type.Object({
    id: Type.String(),
    object: Type.Literal('conversation.deleted'),
    deleted: Type.Literal(true),
  }),
});

export const listConversationItems = endpoint({
  method: 'GET',
  path: '/v1/conversations/{id}/items',
  summary: 'List the items of a conversation',
  tag,
  access,
  query: ItemListQuery,
  response: ItemList,
});

export const addConversationItems = endpoint({
  method: 'POST',
  path: '/v1/conversations/{id}/items',
  summary: 'Add items to a conversation without creating a response',
  tag,
  access,
  body: Type.Object({ items: Items }, { additionalProperties: false }),
  policy,
  response: ItemList,
});

const Item = Type.Object({ id: Type.String(), type: Type.String() });

export const getConversationItem = endpoint({
  method: 'GET',
  path: '/v1/conversations/{id}/items/{item_id}',
  summary: 'Get an item of a conversation',
  tag,
  access,
  response: Item,
});

export const deleteConversationItem = endpoint({
  method: 'DELETE',
  path: '/v1/conversations/{id}/items/{item_id}',
  summary: 'Remove an item from a conversation',
  tag,
  access,
  response: Conversation,
});
