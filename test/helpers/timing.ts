/**
 * The minimum of several measurements, and no more of them than needed. Whatever else a machine does can only make
 * work later, so the least of them says what the work is.
 */
export async function leastOf(
  times: number,
  measure: () => Promise<number>,
  { enough }: { enough: number },
): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < times && least >= enough; time++) least = Math.min(least, await measure());
  return least;
}
