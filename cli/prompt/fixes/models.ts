import type { Context } from '../../context.ts';
import { installModel } from '../../models/pull/ensure-model.ts';
import { downloadBytes, sizeText } from '../../models/pull/download-size.ts';
import { agree } from '../confirm.ts';

export async function offerModel(context: Context, model: string): Promise<boolean> {
  const { io, signal } = context;
  const client = await context.connect();
  const bytes = await downloadBytes(client, model);
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
