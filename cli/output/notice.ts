import type { Client } from '../client/client.ts';
import type { Output } from './output.ts';

/** Prints the model's notice. Failing to get it is no error: the request itself will tell. */
export async function printNotice(client: Client, model: string, output: Output): Promise<void> {
  if (output.quiet) return;
  const record = await client.model(model).catch(() => undefined);
  if (record?.local?.notice && record.local.state !== 'not_installed')
    output.note(`note: ${record.local.notice}`);
}
