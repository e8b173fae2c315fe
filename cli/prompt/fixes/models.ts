import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { installModel } from '../../models/pull/ensure-model.ts';
import { formatBytes } from '../../output/format.ts';
import { agree } from '../confirm.ts';

export async function offerModel(context: Context, model: string): Promise<boolean> {
  const { io, signal } = context;
  const client = await context.connect();
  const bytes = await bytesOf(client, model);
  if (!(await agree(`Pull it now?${sizeText(bytes)}`, io, signal))) return false;
  await installModel(client, model, context);
  return true;
}

export async function offerEngine(context: Context, name: string): Promise<boolean> {
  const { io, signal } = context;
  const client = await context.connect();
  const bytes = (await client.engines()).engines.find((engine) => engine.name === name)?.bytes;
  if (!(await agree(`Install it now?${sizeText(bytes)}`, io, signal))) return false;
  const { installEngine } = await import('../../models/engines/install-engine.ts');
  await installEngine(client, { name }, context);
  return true;
}

/** Undefined where the server does not know it. */
async function bytesOf(client: Client, model: string): Promise<number | undefined> {
  const [known, listed] = await Promise.allSettled([client.model(model), client.catalog()]);
  const catalog = listed.status === 'fulfilled' ? listed.value.catalog : [];
  const entry =
    catalog.find(({ id }) => id === model) ??
    catalog.find(({ chosen_for: services }) => services.includes(model));
  return (known.status === 'fulfilled' ? known.value.local.bytes : null) ?? entry?.bytes;
}

const sizeText = (bytes: number | undefined) => (bytes ? ` ${formatBytes(bytes)}` : '');
