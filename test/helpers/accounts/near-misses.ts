/** The same text with a different last letter. A fixed letter would sometimes be the one that is already there. */
export function wrongByOneLetter(text: string): string {
  return text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
}
