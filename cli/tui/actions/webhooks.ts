import { WEBHOOK_EVENT_TYPES } from '../../../src/api/account/webhook-events.ts';
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
} from '../../../src/api/account/webhooks.ts';
import { Failure } from '../../../src/base/errors.ts';
import { formatCount } from '../../output/format.ts';
import { deliveryText, outcomeOf } from '../../webhooks/texts.ts';
import {
  attempt,
  did,
  listAnswer,
  openDialog,
  quote,
  say,
  textAnswer,
  type Act,
  type Deck,
  type Submission,
} from '../deck.ts';
import type { Dialog, Field } from '../dialog/dialog.ts';
import type { ActionId } from '../keyboard/keymap.ts';
import { selectedRow } from '../screens.ts';
import { deliveriesOf } from '../screens/webhooks.ts';

const webhookOf = ({ store, theme }: Deck) => selectedRow(store.current(), theme) as Webhook | undefined;

function deliveryOf({ store }: Deck): string | undefined {
  const state = store.current();
  const deliveries = deliveriesOf(state);
  const chosen = deliveries.find(({ event_id: id }) => id === state.views.webhooks.detail) ?? deliveries[0];
  return chosen?.event_id;
}

function webhookFields({ name, url, events }: Pick<Webhook, 'name' | 'url' | 'events'>): Field[] {
  return [
    { kind: 'text', name: 'url', label: 'address', value: url, hint: 'begins with https://' },
    { kind: 'text', name: 'name', label: 'name', value: name, hint: 'empty: the host' },
    {
      kind: 'flags',
      name: 'events',
      label: 'events',
      value: events,
      choices: WEBHOOK_EVENT_TYPES,
      at: 0,
      hint: 'space switches, arrows move',
    },
  ];
}

function add(deck: Deck): void {
  const fields = webhookFields({ name: '', url: 'https://', events: ['chat.completed'] });
  openDialog(deck, { kind: 'form', title: 'Add a webhook', fields, focus: 0, submit: 'webhooks.add' });
}

function edit(deck: Deck): void {
  const webhook = webhookOf(deck);
  if (!webhook) return;
  openDialog(deck, {
    kind: 'form',
    title: `Change the webhook ${webhook.name}`,
    fields: webhookFields(webhook),
    focus: 0,
    submit: 'webhooks.edit',
    about: webhook.id,
  });
}

function remove(deck: Deck): void {
  const webhook = webhookOf(deck);
  if (!webhook) return;
  openDialog(deck, {
    kind: 'confirm',
    title: 'Remove a webhook',
    text: `${webhook.name} (${webhook.url}) gets no more events, not even pending ones. Type its name to remove it.`,
    expected: webhook.name,
    typed: '',
    submit: 'webhooks.remove',
    about: webhook.id,
  });
}

function askForSecret(deck: Deck): void {
  const webhook = webhookOf(deck);
  if (!webhook) return;
  const text = `Give ${webhook.name} a new secret? For a day, deliveries are signed with both.`;
  openDialog(deck, {
    kind: 'confirm',
    title: 'A new secret',
    text,
    typed: '',
    submit: 'webhooks.rotate',
    about: webhook.id,
  });
}

function askForReplay(deck: Deck): void {
  const webhook = webhookOf(deck);
  if (!webhook) return;
  const value = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 16) + 'Z';
  const field: Field = { kind: 'text', name: 'since', label: 'since', value, hint: 'at most 30 days ago' };
  openDialog(deck, {
    kind: 'form',
    title: `Resend undelivered events to ${webhook.name}`,
    fields: [field],
    focus: 0,
    submit: 'webhooks.replay',
    about: webhook.id,
  });
}

async function test(deck: Deck): Promise<void> {
  const webhook = webhookOf(deck);
  if (!webhook) return;
  say(deck, `Sending a test event to ${webhook.name}…`);
  const { delivery } = await deck.client().webhooks.test(webhook.id);
  did(deck, `askd webhooks test ${quote(webhook.name)}`);
  report(deck, delivery);
}

async function resend(deck: Deck): Promise<void> {
  const webhook = webhookOf(deck);
  const event = deliveryOf(deck);
  if (!webhook || event === undefined) return say(deck, 'There is no delivery to resend.', 'bad');
  const { delivery } = await deck.client().webhooks.resend(webhook.id, event);
  did(deck, `askd webhooks resend ${quote(webhook.name)} ${event}`);
  report(deck, delivery);
}

function report(deck: Deck, delivery: Parameters<typeof outcomeOf>[0]): void {
  const { arrived, text } = outcomeOf(delivery);
  say(deck, `${arrived ? 'Delivered' : 'Not delivered'}: ${text}.`, arrived ? 'good' : 'bad');
  void deck.loader.refreshScreen('webhooks');
}

async function toggle(deck: Deck): Promise<void> {
  const webhook = webhookOf(deck);
  if (!webhook) return;
  await deck.client().webhooks.update(webhook.id, { enabled: !webhook.enabled });
  did(deck, `askd webhooks ${webhook.enabled ? 'pause' : 'resume'} ${quote(webhook.name)}`);
  await deck.loader.refresh('webhooks');
  say(
    deck,
    `${webhook.name} is ${webhook.enabled ? 'paused; pending deliveries are kept for a day' : 'active'}.`,
  );
}

async function open(deck: Deck): Promise<void> {
  const { store } = deck;
  const webhook = webhookOf(deck);
  const event = deliveryOf(deck);
  if (!webhook || event === undefined) return;
  if (store.current().views.webhooks.pane === 'list')
    return store.dispatch({ type: 'view', screen: 'webhooks', view: { pane: 'detail', detail: event } });
  const { delivery } = await deck.client().webhooks.delivery(webhook.id, event);
  openDialog(deck, {
    kind: 'pages',
    title: `Delivery of ${delivery.type}`,
    text: deliveryText(delivery).split('\n'),
    offset: 0,
  });
}

function secretOf(title: string, name: string, secret: string): Dialog {
  return {
    kind: 'secret',
    title,
    secret,
    note: `It signs the deliveries to ${name}. It is not shown again.`,
  };
}

export const webhooks = {
  'webhooks.add': add,
  'webhooks.edit': edit,
  'webhooks.remove': remove,
  'webhooks.rotate': askForSecret,
  'webhooks.replay': askForReplay,
  'webhooks.test': (deck) => attempt(deck, () => test(deck)),
  'webhooks.resend': (deck) => attempt(deck, () => resend(deck)),
  'webhooks.toggle': (deck) => attempt(deck, () => toggle(deck)),
  'webhooks.open': (deck) => attempt(deck, () => open(deck)),
} satisfies Partial<Record<ActionId, Act>>;

export const webhookSubmissions: Record<string, Submission> = {
  'webhooks.add': async (deck, _about, answers) => {
    const url = textAnswer(answers, 'url');
    const name = textAnswer(answers, 'name') || (URL.canParse(url) ? new URL(url).host : '') || 'webhook';
    const events = listAnswer(answers, 'events');
    const created = await deck.client().webhooks.create({ name, url, events } as CreateWebhookRequest);
    did(deck, `askd webhooks add ${quote(url)} --name ${quote(name)} --events ${events.join(',')}`);
    await deck.loader.refresh('webhooks');
    deck.store.dispatch({ type: 'view', screen: 'webhooks', view: { selected: created.webhook.id } });
    return secretOf('A new webhook', name, created.secret);
  },
  'webhooks.edit': async (deck, id, answers) => {
    const change = {
      name: textAnswer(answers, 'name'),
      url: textAnswer(answers, 'url'),
      events: listAnswer(answers, 'events'),
    };
    await deck.client().webhooks.update(id, change as UpdateWebhookRequest);
    await deck.loader.refresh('webhooks');
    say(deck, `${change.name} is changed.`);
    return undefined;
  },
  'webhooks.remove': async (deck, id) => {
    await deck.client().webhooks.remove(id);
    did(deck, `askd webhooks rm ${id} --yes`);
    await deck.loader.refresh('webhooks');
    say(deck, 'The webhook is removed.');
    return undefined;
  },
  'webhooks.rotate': async (deck, id) => {
    const { webhook, secret } = await deck.client().webhooks.rotate(id);
    did(deck, `askd webhooks rotate ${quote(webhook.name)}`);
    return secretOf('A new secret', webhook.name, secret);
  },
  'webhooks.replay': async (deck, id, answers) => {
    const sinceMs = Date.parse(textAnswer(answers, 'since'));
    if (Number.isNaN(sinceMs))
      throw new Failure('invalid_value', 'It must be a date such as 2027-01-31T12:00:00Z.');
    const since = new Date(sinceMs).toISOString();
    const { queued } = await deck.client().webhooks.replay(id, since);
    did(deck, `askd webhooks replay ${id} --since ${since}`);
    await deck.loader.refreshScreen('webhooks');
    say(deck, `${formatCount(queued, 'event')} to send.`);
    return undefined;
  },
};
