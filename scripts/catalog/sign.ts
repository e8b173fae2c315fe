import { edition } from '../../models/catalog/edition.ts';
import { parsePayload, SCHEMA } from '../../src/library/catalog/payload.ts';
import { signCatalog } from '../../src/library/catalog/signature.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';

const DAY_MS = 86_400_000;

export type SignOptions = { privatePem: string; days: number; now: number };

/** This version's catalogue as the file to publish. Anything that askd would not read is refused here. */
export function signedCatalog(
  catalog: readonly ModelManifest[],
  { privatePem, days, now }: SignOptions,
): string {
  const payload = JSON.stringify({
    schema: SCHEMA.number,
    needs: SCHEMA.needs,
    ...edition,
    expires: new Date(now + days * DAY_MS).toISOString().slice(0, 10),
    models: catalog.filter(({ hub }) => hub !== undefined),
  });
  parsePayload(payload);
  return signCatalog(payload, privatePem);
}
