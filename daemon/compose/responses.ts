import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import { createConversations } from '../../src/responses/conversations.ts';
import { createResponses } from '../../src/responses/responses.ts';
import type { Store } from '../../src/store/store.ts';

/** Stored responses and conversations that later requests continue. */
export function composeResponses({
  store,
  clock,
  settings,
}: {
  store: Store;
  clock: Clock;
  settings: Settings;
}) {
  const parts = { store, clock, ttlMs: settings.responseStoreTtlMs };
  return { responses: createResponses(parts), conversations: createConversations(parts) };
}
