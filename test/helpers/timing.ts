/**
 * The minimum of several measurements, taking no more of them than needed. Other load can only make work slower, so
 * the minimum shows what the work itself takes.
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
