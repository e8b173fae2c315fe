import { Failure } from '../base/errors.ts';
import type { LicenceTerms, ModelManifest } from '../runtime/manifest.ts';

/** Licences without restrictions on use, as the hub spells them. */
const OPEN = [
  ...[
    'apache-2.0',
    'mit',
    'bsd',
    'bsd-2-clause',
    'bsd-3-clause',
    'isc',
    'unlicense',
    'wtfpl',
    'zlib',
    'ecl-2.0',
  ],
  ...[
    'cc0-1.0',
    'cc-by-4.0',
    'cc-by-3.0',
    'cdla-permissive-2.0',
    'ms-pl',
    'postgresql',
    'afl-3.0',
    'artistic-2.0',
  ],
];

/** The terms to show before a model is downloaded, unless its licence has no restrictions. */
export function termsOf(licence: string | undefined, url: string): LicenceTerms | undefined {
  if (licence === undefined) {
    return { summary: 'Its owner states no licence, so your rights to use it are unclear.', url };
  }
  if (OPEN.includes(licence.toLowerCase())) return undefined;
  return { summary: 'It may restrict how you use the model.', url };
}

export function requireAcceptance({ name, licence, licenceTerms }: ModelManifest, isAccepted: boolean): void {
  if (licenceTerms === undefined || isAccepted) return;
  const { summary, url } = licenceTerms;
  throw new Failure(
    'licence_not_accepted',
    `${name} has the licence "${licence}". ${summary} Read it at ${url}, then accept it with --accept-licence.`,
    { param: 'accept_licence', details: { licence, url } },
  );
}
