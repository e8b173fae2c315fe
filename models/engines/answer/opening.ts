/** Buffers until it is clear whether the answer starts with one of these texts. */
export function createOpening(texts: readonly string[], isTrimmed: boolean) {
  let held = '';
  return {
    /** `found` is empty if it starts with something else. */
    push(text: string): { found: string; rest: string } | undefined {
      held += text;
      const begun = held.trimStart();
      const mayBeLonger = texts.some((one) => isBeginning(begun, one.trimStart()));
      const found = texts
        .filter((one) => begun.startsWith(one.trimStart()))
        .toSorted(byLength)
        .at(-1);
      if (mayBeLonger || (isTrimmed && begun === '')) return undefined;
      if (found !== undefined) return { found, rest: begun.slice(found.trimStart().length) };
      return { found: '', rest: isTrimmed ? begun : held };
    },
    flush: () => (isTrimmed ? held.trimStart() : held),
  };
}

function isBeginning(begun: string, text: string): boolean {
  return text.length > begun.length && text.startsWith(begun);
}

function byLength(one: string, other: string): number {
  return one.length - other.length;
}
