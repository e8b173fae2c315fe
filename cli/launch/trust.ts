import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import type { Client } from './client.ts';
import { replaceFile } from './private-file.ts';

/** Sets the client's variable for trusted certificates, if the daemon has its own certificate. */
export async function trustFor(
  context: Context,
  { title, certificates }: Client,
  folder: string,
): Promise<Record<string, string>> {
  const { findDaemon } = await import('../daemon-control/process.ts');
  const { certificate } = (await findDaemon(context)) ?? {};
  if (certificate === undefined) return {};
  const file = join(folder, 'certificates.pem');
  const { env } = context.environment;
  const others = certificates === undefined ? undefined : env[certificates];
  replaceFile(
    file,
    [certificate, ...(others && others !== file ? [readFileSync(others, 'utf8')] : [])].join('\n'),
  );
  if (certificates !== undefined) return { [certificates]: file };
  context.output.note(`note: configure ${title} to trust the certificate of this daemon: ${file}`);
  return {};
}
