import type { Client } from '../client/client.ts';
import type { Output } from './output.ts';

/** Says what people must know about a model. Not knowing it is no reason to fail: the request itself will tell. */
export async function printNotice(client: Client, model: string, output: Output): Promise<void> {
  if (output.quiet) return;
  const record = await client.model(model).catch(() => undefined);
  if (record?.local?.notice && record.local.state !== 'not_installed')
    output.note(`note: ${record.local.notice}`);
}
