import type { Client } from '../../client/client.ts';
import { formatBytes } from '../../output/format.ts';

/** Undefined where the server does not know it. The hub is asked about its own models. */
export async function downloadBytes(client: Client, model: string): Promise<number | undefined> {
  const [known, listed] = await Promise.allSettled([client.model(model), client.catalog()]);
  const catalog = listed.status === 'fulfilled' ? listed.value.catalog : [];
  const entry =
    catalog.find(({ id }) => id === model) ??
    catalog.find(({ chosen_for: services }) => services.includes(model));
  const bytes = (known.status === 'fulfilled' ? known.value.local.bytes : null) ?? entry?.bytes;
  if (bytes !== undefined || !model.startsWith('hf:')) return bytes;
  const { pull, preview } = await client.startPull({ model, dry_run: true });
  return preview?.bytes ?? pull?.bytes_total;
}

export const sizeText = (bytes: number | undefined): string => (bytes ? ` ${formatBytes(bytes)}` : '');
