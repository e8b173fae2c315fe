const MARK = 'askd1.';

/**
 * Clients that let nothing be stored carry the thoughts of a model along as a text that is not for them to read. Nothing is
 * secret in it: whoever has it has seen the thoughts.
 */
export function sealThoughts(text: string): string {
  return MARK + Buffer.from(text, 'utf8').toString('base64url');
}

/** What another server sealed stays unread. */
export function unsealThoughts(sealed: string | undefined): string {
  if (!sealed?.startsWith(MARK)) return '';
  return Buffer.from(sealed.slice(MARK.length), 'base64url').toString('utf8');
}
