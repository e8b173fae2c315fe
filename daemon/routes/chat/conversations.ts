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
import type { Mount } from '../../http/register-route.ts';

export function mountConversations(mount: Mount, { conversations, settings }: Services): void {
  mount(createConversation, ({ body: { items = [], metadata = {} }, principal }) => {
    if (!settings.responseStore) throw storesNothing();
    const id = newId('conv');
    conversations.create(id, principal, metadata);
    conversations.add(id, principal, items.map(withId));
    return toConversation(conversations.find(id, principal));
  });

  mount(getConversation, ({ params: { id = '' }, principal }) =>
    toConversation(conversations.find(id, principal)),
  );

  mount(updateConversation, ({ params: { id = '' }, principal, body }) => {
    conversations.update(id, principal, body.metadata);
    return toConversation(conversations.find(id, principal));
  });

  mount(deleteConversation, ({ params: { id = '' }, principal }) => {
    conversations.remove(id, principal);
    return { id, object: 'conversation.deleted' as const, deleted: true as const };
  });

  mount(listConversationItems, ({ params: { id = '' }, principal, query }) =>
    page(conversations.itemsOf(id, principal), query),
  );

  mount(addConversationItems, ({ params: { id = '' }, principal, body }) => {
    const items = body.items.map(withId);
    conversations.add(id, principal, items);
    return page(items, { order: 'asc' });
  });

  mount(getConversationItem, ({ params: { id = '', item_id: itemId = '' }, principal }) =>
    conversations.findItem(id, itemId, principal),
  );

  mount(deleteConversationItem, ({ params: { id = '', item_id: itemId = '' }, principal }) => {
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
    'No conversations are stored here. Send the whole conversation in "input", or store them: askd config set response_store on',
  );
}
