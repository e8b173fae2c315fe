const SUGGESTIONS = 3;

/** Names that may have been meant: those within a few typos, or that contain what was typed. */
export function similarNames(typed: string, names: readonly string[]): string[] {
  const wanted = plain(typed);
  const lettersMax = Math.max(2, Math.floor(wanted.length / 3));
  const isPart = (name: string) => wanted.length >= 3 && plain(name).includes(wanted);
  return names
    .map((name) => ({ name, distance: editDistance(wanted, plain(name)) }))
    .filter(({ name, distance }) => distance <= lettersMax || isPart(name))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}

/**
 * Whether this is a typo of the name: the same words spelled differently, or one wrong letter, two in a long name.
 * Anything further away may well be a different name.
 */
export function isSimilar(typed: string, names: readonly string[]): string | undefined {
  const wanted = letters(typed);
  const wrongMax = wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2;
  const near = names
    .map((name) => ({ name, distance: slips(wanted, letters(name)) }))
    .filter(({ distance }) => distance <= wrongMax);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.name;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Damerau-Levenshtein: two swapped letters are one typo. */
function slips(a: string, b: string): number {
  if (a.length === b.length) {
    const wrong = [...a].flatMap((letter, index) => (letter === b[index] ? [] : [index]));
    const [i = 0, j = 0] = wrong;
    if (wrong.length === 2 && j === i + 1 && a[i] === b[j] && a[j] === b[i]) return 1;
  }
  return editDistance(a, b);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/** " Did you mean a or b?", to append to a sentence; empty if no name is similar. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = similarNames(typed, names);
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/** Levenshtein distance: letters to insert, delete or change. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const changed = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
