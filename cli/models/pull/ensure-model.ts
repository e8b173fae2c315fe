import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { formatBytes } from '../../output/format.ts';
import { followPull } from './follow.ts';
import { startPull } from './start-pull.ts';

/** Installs a model if needed and resolves to its id. */
export async function ensureModel(context: Context, wanted: string): Promise<string> {
  const client = await context.connect();
  if (await isHere(client, wanted)) return wanted;
  const announce = () => context.output.note(`${wanted} is not installed: askd pull ${wanted}`);
  return installModel(client, wanted, context, announce);
}

/** Downloads a model with progress on stderr and resolves to its id. */
export async function installModel(
  client: Client,
  wanted: string,
  context: Context,
  announce?: () => void,
): Promise<string> {
  const { pull, artifact } = await startPull(client, { model: wanted }, context);
  if (artifact) return artifact.id;
  if (!pull) throw new Failure('internal_error', 'The daemon reported neither a model nor a download.');
  announce?.();
  context.output.note(`${pull.artifact}, ${formatBytes(pull.bytes_total)}, licence ${pull.licence}`);
  // stdout is reserved for the reply.
  const quiet = { ...context, output: { ...context.output, json: false } };
  const done = await followPull(client, pull, quiet);
  return done.service ?? done.artifact;
}

async function isHere(client: Client, wanted: string): Promise<boolean> {
  try {
    const { local } = await client.model(wanted);
    return local.state !== 'not_installed' && local.state !== 'downloading';
  } catch (error) {
    if (error instanceof Failure && /^(model_not_found|not_found)$/.test(error.code)) return false;
    throw error;
  }
}
