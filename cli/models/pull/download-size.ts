import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { formatBytes } from '../../output/format.ts';
import { requireRunnable } from './preview-text.ts';

/** Undefined if the server does not know it. The hub is asked about its own models. */
export async function downloadBytes(client: Client, model: string): Promise<number | undefined> {
  const [known, listed] = await Promise.allSettled([client.model(model), client.catalog()]);
  const catalog = listed.status === 'fulfilled' ? listed.value.catalog : [];
  const entry =
    catalog.find(({ id }) => id === model) ??
    catalog.find(({ chosen_for: services }) => services.includes(model));
  const bytes = (known.status === 'fulfilled' ? known.value.local.bytes : null) ?? entry?.bytes;
  if (bytes !== undefined || !model.startsWith('hf:')) return bytes;
  const { pull, preview } = await client.startPull({ model, dry_run: true }).catch((error: unknown) => {
    throw withoutHub(error, model);
  });
  if (preview) requireRunnable(preview);
  return preview?.bytes ?? pull?.bytes_total;
}

/** Without the hub there is nothing to offer, and installed models work anyway. */
function withoutHub(error: unknown, model: string): unknown {
  if (!(error instanceof Failure) || error.code !== 'hub_unreachable') return error;
  return new Failure(
    'hub_unreachable',
    `\`${model}\` is not installed and cannot be downloaded now. ${error.message} Try again when this machine ` +
      'reaches it, import a file (askd import FILE), or choose a model that is here.',
    { cause: error, details: { fix: 'askd models' } },
  );
}

export const sizeText = (bytes: number | undefined): string => (bytes ? ` ${formatBytes(bytes)}` : '');
