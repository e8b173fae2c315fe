/**
 * A queue between one producer that pushes and one consumer that iterates. Items waiting for a slow consumer may be
 * merged with later ones; nothing is held back from a consumer that is ready.
 */
export function createChannel<Item>(
  merge: (earlier: Item, later: Item) => Item | undefined = () => undefined,
) {
  const items: Item[] = [];
  let outcome: { error?: unknown } | undefined;
  let wake: (() => void) | undefined;

  function settle(result: { error?: unknown }): void {
    outcome ??= result;
    wake?.();
  }

  async function* iterate(): AsyncGenerator<Item> {
    for (;;) {
      while (items.length > 0) yield items.shift() as Item;
      if (outcome && 'error' in outcome) throw outcome.error;
      if (outcome) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    push(item: Item): void {
      const last = items.at(-1);
      const merged = last === undefined ? undefined : merge(last, item);
      if (merged === undefined) items.push(item);
      else items[items.length - 1] = merged;
      wake?.();
    },
    end: () => settle({}),
    fail: (error: unknown) => settle({ error }),
    iterate,
  };
}

export type Channel<Item> = ReturnType<typeof createChannel<Item>>;
