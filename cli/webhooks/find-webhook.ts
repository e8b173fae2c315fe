import type { Webhook } from '../../src/api/account/webhooks.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Client } from '../client/client.ts';

/** The webhook with this id, or the only one with this name. */
export async function findWebhook(client: Client, wanted: string): Promise<Webhook> {
  const { webhooks } = await client.webhooks.list();
  const matches = webhooks.filter(({ id, name }) => id === wanted || name === wanted);
  const [only] = matches;
  if (only === undefined) {
    throw new Failure('not_found', `No webhook has the id or name "${wanted}".`, {
      details: { fix: 'askd webhooks list' },
    });
  }
  if (matches.length === 1) return only;
  const ids = matches.map(({ id }) => id).join(', ');
  throw new Failure('invalid_value', `More than one webhook has the name "${wanted}". Give an id: ${ids}.`);
}
