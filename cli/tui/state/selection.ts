import type { State } from './state.ts';

export function selectedWebhook({ data, views }: State): string | undefined {
  const { selected } = views.webhooks;
  const found = data.webhooks?.find(({ id }) => id === selected) ?? data.webhooks?.[0];
  return found?.id;
}
