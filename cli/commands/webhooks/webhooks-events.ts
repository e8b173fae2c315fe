import { command } from '../../command.ts';
import { renderFields } from '../../output/table.ts';

export const webhooksEvents = command({
  name: 'webhooks events',
  group: 'Webhooks:',
  summary: 'list the event types; --json includes their schemas',
  examples: ['askd webhooks events', 'askd webhooks events --json'],
  async run({ output }) {
    const { WEBHOOK_EVENTS, webhookBody } = await import('../../../src/api/account/webhook-events.ts');
    const events = Object.entries(WEBHOOK_EVENTS);
    output.result(
      {
        schema: 'webhooks-events/1',
        events: events.map(([type, { summary, data, example }]) => ({
          type,
          summary,
          body: webhookBody(type, data),
          example,
        })),
      },
      () => renderFields(events.map(([type, { summary }]) => [type, summary])),
    );
  },
});
