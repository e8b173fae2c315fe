const [SATURATION, LENGTH_SHARE] = [1.2, 0.75];

/** BM25: the ranking of a search without a model. */
export function createBm25(documents: readonly string[]) {
  const counted = documents.map(countWords);
  const lengths = counted.map((words) => [...words.values()].reduce((sum, count) => sum + count, 0));
  const usual = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const holders = new Map<string, number>();
  for (const words of counted)
    for (const word of words.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);

  function rarity(word: string): number {
    const count = holders.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  }

  function score(query: Iterable<string>, index: number): number {
    const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * (lengths[index] ?? 0)) / usual);
    let sum = 0;
    for (const word of query) {
      const count = counted[index]?.get(word) ?? 0;
      sum += (rarity(word) * count * (SATURATION + 1)) / (count + norm);
    }
    return sum;
  }

  /** The numbers of the documents, the best first; of equals the first. */
  return (query: string): number[] => {
    const words = new Set(countWords(query).keys());
    return rank(documents.map((_, index) => score(words, index)));
  };
}

export function rank(scores: readonly number[]): number[] {
  return scores
    .map((score, index) => ({ score, index }))
    .sort((a, b) => b.score - a.score)
    .map(({ index }) => index);
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
