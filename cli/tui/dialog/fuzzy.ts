/** The items whose text has these letters in this order. The best have them together and at the start of words. */
export function fuzzyMatches<Item extends { text: string }>(items: readonly Item[], query: string): Item[] {
  const letters = [...query.toLowerCase()].filter((letter) => letter !== ' ');
  return items
    .map((item) => ({ item, score: scoreOf(item.text.toLowerCase(), letters) }))
    .filter(({ score }) => score !== undefined)
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ item }) => item);
}

/** The best of all positions of the first letter. */
function scoreOf(text: string, letters: readonly string[]): number | undefined {
  const [first] = letters;
  if (first === undefined) return 0;
  const scores: number[] = [];
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    const score = scoreFrom(text, letters, at);
    if (score !== undefined) scores.push(score);
  }
  return scores.length === 0 ? undefined : Math.max(...scores);
}

function scoreFrom(text: string, letters: readonly string[], start: number): number | undefined {
  let score = 0;
  let before = start - 1;
  for (const letter of letters) {
    const at = text.indexOf(letter, before + 1);
    if (at === -1) return undefined;
    const isWordStart = at === 0 || /[^a-z0-9]/.test(text[at - 1] ?? '');
    score += at > start && at === before + 1 ? 3 : isWordStart ? 2 : 0;
    before = at;
  }
  return score;
}
