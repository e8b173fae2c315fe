import {
  WEBHOOK_EVENT_SUMMARIES,
  type WebhookEventType,
} from '../../../../../src/api/account/webhook-event-summaries.ts';

type Group = { name: string; events: [WebhookEventType, string][] };

const NAMES: Readonly<Record<string, string>> = {
  chat: 'Chat',
  api_key: 'API keys',
  subscription: 'Account',
  usage: 'Account',
};

/** The events grouped by subject, in the order of their list. */
export function eventGroups(): Group[] {
  const groups: Group[] = [];
  for (const [type, summary] of Object.entries(WEBHOOK_EVENT_SUMMARIES) as [WebhookEventType, string][]) {
    const family = type.split('.')[0] ?? '';
    const name = NAMES[family] ?? family;
    const group = groups.find((each) => each.name === name);
    if (group) group.events.push([type, summary]);
    else groups.push({ name, events: [[type, summary]] });
  }
  return groups;
}
