import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksRemove = command<{ yes?: true }>({
  name: 'webhooks rm',
  group: 'Webhooks:',
  summary: 'remove a webhook, its log and its pending deliveries',
  examples: ['askd webhooks rm my-app', 'askd webhooks rm my-app --yes'],
  configure(commander) {
    commander.argument('<webhook>', 'id or name of the webhook').option('-y, --yes', 'do not ask');
  },
  async run({ connect, output, io, signal }, { args: [wanted = ''], options: { yes } }) {
    const client = await connect();
    const { id, name } = await findWebhook(client, wanted);
    if (!yes) {
      const { confirm } = await import('../../prompt/confirm.ts');
      const question = `Remove ${sanitiseLine(name)} (${id})? Its log is deleted too.`;
      if (!(await confirm(question, io, signal))) return output.note('Nothing was changed.');
    }
    await client.webhooks.remove(id);
    output.result(
      { schema: 'webhooks-rm/1', success: true, id },
      () => `Removed ${sanitiseLine(name)} (${id}).`,
    );
  },
});
