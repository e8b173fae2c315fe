import {
  addConversationItems,
  createConversation,
  deleteConversation,
  deleteConversationItem,
  getConversation,
  getConversationItem,
  listConversationItems,
  updateConversation,
} from '../../../src/api/chat/conversations.ts';
import { Failure } from '../../../src/base/errors.ts';
import { newId } from '../../../src/base/ids.ts';
import type { ConversationRecord } from '../../../src/responses/conversations.ts';
import { page, withId } from '../../../src/responses/items.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerConversations(register: RegisterRoute, { conversations, settings }: Services): void {
  register(createConversation, ({ body: { items = [], metadata = {} }, principal }) => {
    if (!settings.responseStore) throw storesNothing();
    const id = newId('conv');
    conversations.create(id, principal, metadata);
    conversations.add(id, principal, items.map(withId));
    return toConversation(conversations.find(id, principal));
  });

  register(getConversation, ({ params: { id = '' }, principal }) =>
    toConversation(conversations.find(id, principal)),
  );

  register(updateConversation, ({ params: { id = '' }, principal, body }) => {
    conversations.update(id, principal, body.metadata);
    return toConversation(conversations.find(id, principal));
  });

  register(deleteConversation, ({ params: { id = '' }, principal }) => {
    conversations.remove(id, principal);
    return { id, object: 'conversation.deleted' as const, deleted: true as const };
  });

  register(listConversationItems, ({ params: { id = '' }, principal, query }) =>
    page(conversations.itemsOf(id, principal), query),
  );

  register(addConversationItems, ({ params: { id = '' }, principal, body }) => {
    const items = body.items.map(withId);
    conversations.add(id, principal, items);
    return page(items, { order: 'asc' });
  });

  register(getConversationItem, ({ params: { id = '', item_id: itemId = '' }, principal }) =>
    conversations.findItem(id, itemId, principal),
  );

  register(deleteConversationItem, ({ params: { id = '', item_id: itemId = '' }, principal }) => {
    conversations.removeItem(id, itemId, principal);
    return toConversation(conversations.find(id, principal));
  });
}

function toConversation({ id, createdAtMs, metadata }: ConversationRecord) {
  return { id, object: 'conversation' as const, created_at: Math.floor(createdAtMs / 1000), metadata };
}

function storesNothing(): Failure {
  return new Failure(
    'unsupported_parameter',
    'Conversations are not stored. Send the whole conversation in "input", or enable storage: askd config set response_store on',
  );
}
