import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { formatBytes } from '../../output/format.ts';
import { agree } from '../../prompt/confirm.ts';
import { installModel } from './ensure-model.ts';

/**
 * After a failed command: on a terminal it offers to pull a model that is missing, and then runs the command again, which
 * may need another. Otherwise the failure stays what it was.
 */
export async function offerPull<Result>(
  failure: unknown,
  run: () => Promise<Result>,
  context: Context,
): Promise<Result> {
  const pulled = new Set<string>();
  for (let last = failure; ;) {
    const model = missingModel(last);
    if (model === undefined || pulled.has(model) || !(await pullIfWanted(model, context))) throw last;
    pulled.add(model);
    try {
      return await run();
    } catch (error) {
      last = error;
    }
  }
}

/** The model whose pull is the one thing that fixes this failure. */
function missingModel(error: unknown): string | undefined {
  if (!(error instanceof Failure) || error.code !== 'model_not_installed') return undefined;
  return /^askd pull (\S+)$/.exec(String(error.details['fix']))?.[1];
}

async function pullIfWanted(model: string, context: Context): Promise<boolean> {
  const { environment, io, options, output, signal } = context;
  if (options.json || environment.isCi || !io.stdin.isTTY || !io.stderr.isTTY) return false;
  const client = await context.connect();
  const size = await sizeOf(client, model);
  output.talk(`${model} is not installed.`);
  if (!(await agree(`Pull it now?${size}`, io, signal))) return false;
  await installModel(client, model, context);
  return true;
}

/** Empty where the server does not know it. */
async function sizeOf(client: Client, model: string): Promise<string> {
  const [known, listed] = await Promise.allSettled([client.model(model), client.catalog()]);
  const catalog = listed.status === 'fulfilled' ? listed.value.catalog : [];
  const entry =
    catalog.find(({ id }) => id === model) ??
    catalog.find(({ chosen_for: services }) => services.includes(model));
  const bytes = (known.status === 'fulfilled' ? known.value.local.bytes : null) ?? entry?.bytes;
  return bytes ? ` ${formatBytes(bytes)}` : '';
}
