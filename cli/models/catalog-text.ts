import type { CatalogSource } from '../../src/api/management/catalog.ts';

/** Which catalogue is in use. */
export function catalogText({ serial, issued, signed }: CatalogSource): string {
  const origin = signed
    ? `signed by the key ${signed.key}, until ${signed.expires}`
    : 'the one that came with this askd';
  return `Catalogue ${serial} of ${issued}, ${origin}.`;
}
