/** A queue between one producer that pushes and one consumer that iterates. */
export function createChannel<Item>() {
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
      items.push(item);
      wake?.();
    },
    end: () => settle({}),
    fail: (error: unknown) => settle({ error }),
    iterate,
  };
}

export type Channel<Item> = ReturnType<typeof createChannel<Item>>;
