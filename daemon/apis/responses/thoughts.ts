const MARK = 'askd1.';

/**
 * Clients without storage carry the reasoning along as opaque text. It is not secret, since its holder has seen the
 * reasoning.
 */
export function sealThoughts(text: string): string {
  return MARK + Buffer.from(text, 'utf8').toString('base64url');
}

/** What another server encoded is skipped. */
export function unsealThoughts(sealed: string | undefined): string {
  if (!sealed?.startsWith(MARK)) return '';
  return Buffer.from(sealed.slice(MARK.length), 'base64url').toString('utf8');
}
