/** The same text but for its last letter. A fixed letter would now and then be the one that is there. */
export function wrongByOneLetter(text: string): string {
  return text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
}
