const SHOWN = 80;
const AROUND = 24;

/** Text on one line, shortened in the middle. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

export function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN / 2)} … ${text.slice(-SHOWN / 2)}`;
}

/**
 * The shortest description of how two texts differ: both texts if they are short, otherwise the place where they
 * diverge.
 */
export function differenceBetween(expected: string, actual: string): string {
  if (expected.length <= SHOWN / 2 && actual.length <= SHOWN)
    return `expected ${quote(expected)}, got ${quote(actual)}`;
  let same = 0;
  while (same < expected.length && expected[same] === actual[same]) same += 1;
  const part = (text: string) =>
    quote(
      `${same > AROUND ? '…' : ''}${text.slice(Math.max(0, same - AROUND), same + AROUND)}${text.length > same + AROUND ? '…' : ''}`,
    );
  return `differs from character ${same + 1} on: expected ${part(expected)}, got ${part(actual)}`;
}
