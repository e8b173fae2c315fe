/** Sorted, disjoint, non-adjacent ranges of code points. */
export type CharSet = readonly (readonly [low: number, high: number])[];

const LAST = 0x10ffff;
export const ANY_CHARACTER: CharSet = [[0, LAST]];

/** From single characters and ranges such as "a-z". */
export function charSet(...members: readonly (string | readonly [number, number])[]): CharSet {
  const ranges = members.map((member) => {
    if (typeof member !== 'string') return member;
    const [low = 0, , high = low] = [...member].map((character) => character.codePointAt(0) ?? 0);
    return [low, high] as const;
  });
  return union(ranges);
}

/** The ranges may overlap and be in any order. */
export function union(ranges: CharSet): CharSet {
  const joined: [number, number][] = [];
  for (const [low, high] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return joined;
}

export function complement(set: CharSet): CharSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) gaps.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

export function intersection(one: CharSet, other: CharSet): CharSet {
  const shared: [number, number][] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [a, b] = [one[left], other[right]];
    if (!a || !b) return shared;
    const [low, high] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
    if (low <= high) shared.push([low, high]);
    if (a[1] < b[1]) left++;
    else right++;
  }
}

export function hasCharacter(set: CharSet, code: number): boolean {
  return set.some(([low, high]) => low <= code && code <= high);
}
