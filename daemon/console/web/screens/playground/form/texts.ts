export const SEPARATORS = [
  ['line', 'One per line'],
  ['paragraph', 'Separated by empty lines'],
] as const;
export type Separator = (typeof SEPARATORS)[number][0];

/** Several texts that were typed into one field. */
export function textsOf(typed: string, separator: Separator = 'line'): string[] {
  return typed
    .split(separator === 'line' ? '\n' : /\n[\t ]*\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** A number that was typed; an empty field is not sent. */
export function numberOf(typed: string): number | undefined {
  return typed.trim() === '' ? undefined : Number(typed);
}
