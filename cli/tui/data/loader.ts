import { listChats } from '../../chat/saved-chats.ts';
import type { Client } from '../../client/client.ts';
import { reasonOf } from './event-stream.ts';
import { selectedChat, selectedWebhook } from '../state/selection.ts';
import type { AgentActivity, Data, ScreenId, State } from '../state/state.ts';
import type { Store } from '../state/store.ts';

const TRANSACTIONS_SHOWN = 100;
const DELIVERIES_SHOWN = 50;

type Part =
  | 'activity'
  | 'artifacts'
  | 'keys'
  | 'wallet'
  | 'webhooks'
  | 'deliveries'
  | 'runs'
  | 'chats'
  | 'conversation';

const PARTS_OF: Record<ScreenId, readonly Part[]> = {
  chat: ['chats', 'conversation'],
  overview: ['activity'],
  models: ['artifacts'],
  keys: ['keys'],
  wallet: ['wallet', 'activity'],
  webhooks: ['webhooks', 'deliveries'],
  agent: ['runs'],
  logs: [],
};

export type Loader = ReturnType<typeof createLoader>;

/** Fetches the data of a screen: when it opens, and when an event reports a change. */
export function createLoader({ store, client }: { store: Store; client: () => Client | undefined }) {
  const underWay = new Map<Part, Promise<void>>();
  const again = new Set<Part>();

  async function load(part: Part): Promise<void> {
    const from = client();
    if (from === undefined) return;
    if (part === 'deliveries') return loadDeliveries(from);
    if (part === 'conversation') return loadConversation(from);
    store.dispatch({ type: 'loaded', data: await FETCHES[part](from) });
  }

  async function loadDeliveries(from: Client): Promise<void> {
    const webhook = selectedWebhook(store.current());
    if (webhook === undefined) return;
    const { deliveries } = await from.webhooks.deliveries(webhook, { limit: DELIVERIES_SHOWN });
    store.dispatch({ type: 'deliveries', webhook, deliveries });
  }

  async function loadConversation(from: Client): Promise<void> {
    const chat = selectedChat(store.current());
    if (chat === undefined) return;
    const conversation = await from.chats.get(chat);
    store.dispatch({ type: 'chat', change: { kind: 'loaded', conversation } });
  }

  /** One request at a time for each part; a change in the meantime triggers another one. */
  function refresh(part: Part): Promise<void> {
    const running = underWay.get(part);
    if (running) {
      again.add(part);
      return running;
    }
    const work = load(part)
      .catch((error: unknown) => complain(error))
      .finally(() => {
        underWay.delete(part);
        if (again.delete(part)) void refresh(part);
      });
    underWay.set(part, work);
    return work;
  }

  function complain(error: unknown): void {
    if (store.current().connection.kind !== 'live') return;
    const until = Date.now() + 8000;
    store.dispatch({ type: 'toast', toast: { text: reasonOf(error), tone: 'bad', until } });
  }

  const refreshScreen = async (screen: ScreenId): Promise<void> => {
    await Promise.all(PARTS_OF[screen].map(refresh));
  };

  let seen = store.current();
  const unsubscribe = store.subscribe(() => {
    const state = store.current();
    for (const part of changedParts(seen, state))
      if (PARTS_OF[state.screen].includes(part)) void refresh(part);
    seen = state;
  });
  return { refresh, refreshScreen, close: unsubscribe };
}

const FETCHES: Record<
  Exclude<Part, 'deliveries' | 'conversation'>,
  (client: Client) => Promise<Partial<Data>>
> = {
  activity: async (client) => ({ activity: (await client.activity()).samples }),
  artifacts: async (client) => {
    const [{ artifacts }, { catalog }, { data }] = await Promise.all([
      client.artifacts(),
      client.catalog(),
      client.models(),
    ]);
    return { artifacts, catalog, models: data };
  },
  chats: async (client) => ({ chats: await listChats(async () => client.chats) }),
  keys: async (client) => ({ keys: await client.listKeys() }),
  wallet: async (client) => {
    const [{ transactions }, settings, tier] = await Promise.all([
      client.transactions({ limit: TRANSACTIONS_SHOWN }),
      client.walletSettings(),
      client.tier(),
    ]);
    return { transactions, settings, tier };
  },
  runs: async (client) => ({ runs: (await client.agent.list()).data }),
  webhooks: async (client) => ({ webhooks: (await client.webhooks.list()).webhooks }),
};

/** The parts that may have changed. A new connection or another screen invalidates everything. */
function changedParts(before: State, after: State): readonly Part[] {
  const isBack = before.connection.kind !== 'live' && after.connection.kind === 'live';
  if (isBack || before.screen !== after.screen) return PARTS_OF[after.screen];
  const parts = new Set<Part>();
  if (before.pulls.length !== after.pulls.length) parts.add('artifacts');
  if (before.status?.wallet.balance !== after.status?.wallet.balance) parts.add('wallet');
  if (isOther(before.agent, after.agent)) parts.add('runs');
  if (selectedChat(before) !== selectedChat(after)) parts.add('conversation');
  if (selectedWebhook(before) !== selectedWebhook(after)) parts.add('deliveries');
  if (before.status !== after.status && owes(after)) parts.add('deliveries').add('webhooks');
  for (const { topic } of newEvents(before, after)) {
    if (topic === 'key') parts.add('keys');
    if (topic === 'model') parts.add('artifacts');
    if (topic === 'account') parts.add('wallet');
    parts.add('deliveries');
  }
  return [...parts];
}

function isOther(before: AgentActivity, after: AgentActivity): boolean {
  return before.latest !== after.latest || before.running.join() !== after.running.join();
}

/** A delivery that is pending, or was a moment ago, is fetched again. */
function owes(state: State): boolean {
  const deliveries = state.data.deliveries[selectedWebhook(state) ?? ''] ?? [];
  return (
    (state.status?.webhooks.pending ?? 0) > 0 || deliveries.some(({ state: each }) => each === 'pending')
  );
}

function newEvents(before: State, after: State) {
  if (before.events === after.events) return [];
  const last = before.events.at(-1);
  const from = last === undefined ? 0 : after.events.lastIndexOf(last) + 1;
  return after.events.slice(from);
}
