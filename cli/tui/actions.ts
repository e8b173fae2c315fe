import { agent, agentSubmissions } from './actions/agent.ts';
import { runs, runSubmissions } from './actions/runs.ts';
import { chat, chatSubmissions } from './actions/chat.ts';
import { keySubmissions, keys } from './actions/keys.ts';
import { logs } from './actions/logs.ts';
import { messages, messageSubmissions } from './actions/messages.ts';
import { modelSubmissions, models } from './actions/models.ts';
import { navigation, navigationSubmissions } from './actions/navigation.ts';
import { overview } from './actions/overview.ts';
import { wallet, walletSubmissions } from './actions/wallet.ts';
import { webhookSubmissions, webhooks } from './actions/webhooks.ts';
import type { Act, Submission } from './deck.ts';
import type { ActionId } from './keyboard/keymap.ts';

/** The action of each line of the keymap. */
export const ACTIONS: Readonly<Record<ActionId, Act>> = {
  ...navigation,
  ...chat,
  ...messages,
  ...overview,
  ...models,
  ...keys,
  ...wallet,
  ...webhooks,
  ...agent,
  ...runs,
  ...logs,
};

/** The handlers of answered dialogs, by the name in `submit`. */
export const SUBMISSIONS: Readonly<Record<string, Submission>> = {
  ...modelSubmissions,
  ...keySubmissions,
  ...walletSubmissions,
  ...webhookSubmissions,
  ...agentSubmissions,
  ...runSubmissions,
  ...chatSubmissions,
  ...messageSubmissions,
  ...navigationSubmissions,
};
