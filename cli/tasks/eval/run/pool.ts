/** Works through a list, a limited number at a time. The first error ends it, once none is running any more. */
export async function inPool<Item>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const workers = Array.from({ length: Math.min(size, items.length) }, async () => {
    for (const item of left) {
      if (hasFailed || isOver()) return;
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  });
  const outcomes = await Promise.allSettled(workers);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
