import { createStopMatcher } from './stop-matcher.ts';

/** Waits until it is certain whether the answer begins with one of these texts. */
export function createOpening(texts: readonly string[], isTrimmed: boolean) {
  let held = '';
  return {
    push(text: string): { found?: string; rest: string } | undefined {
      held += text;
      const begun = held.trimStart();
      const mayBeLonger = texts.some((one) => one.length > begun.length && one.startsWith(begun));
      const found = texts
        .filter((one) => begun.startsWith(one.trimStart()))
        .toSorted(byLength)
        .at(-1);
      if (mayBeLonger || (isTrimmed && begun === '')) return undefined;
      if (found !== undefined) return { found, rest: begun.slice(found.trimStart().length) };
      return { rest: isTrimmed ? begun : held };
    },
    flush: () => (isTrimmed ? held.trimStart() : held),
  };
}

function byLength(one: string, other: string): number {
  return one.length - other.length;
}

/** Gives thoughts without the blanks around them. */
export function createThoughtReader(marks: readonly string[], isBegun: boolean) {
  const ends = createStopMatcher(marks);
  let blanks = '';
  let isEmpty = !isBegun;

  function trim(text: string): string {
    const all = isEmpty ? (blanks + text).trimStart() : blanks + text;
    const shown = all.trimEnd();
    blanks = all.slice(shown.length);
    isEmpty &&= shown === '';
    return shown;
  }

  return {
    push(text: string) {
      const { text: thought, stop } = ends.push(text);
      return { shown: trim(thought), stop };
    },
    /** What looked like a mark belongs to it after all. */
    take: trim,
    flush: () => trim(ends.flush()),
  };
}
