const WARM_MS = 1200;

/**
 * A side warms up before its turn: askd gives up threads while other programs work, and here those are the other
 * sides.
 */
export async function warmUp(ask: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + WARM_MS; performance.now() < until;) await ask();
}
