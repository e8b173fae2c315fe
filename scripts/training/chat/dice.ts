import { createRandom } from '../../../src/gguf/random.ts';

/** Chance with a seed: the same throws in every run. */
export type Dice = ReturnType<typeof createDice>;

export function createDice(seed: number) {
  const random = createRandom(seed);
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const chance = (share: number) => random() < share;

  function pick<Item>(items: readonly Item[]): Item {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  }

  function shuffle<Item>(items: readonly Item[]): Item[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = int(0, last);
      [mixed[last], mixed[other]] = [mixed[other] as Item, mixed[last] as Item];
    }
    return mixed;
  }

  const some = <Item>(items: readonly Item[], count: number) => shuffle(items).slice(0, count);
  const list = <Item>(count: number, make: (index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, index) => make(index));
  /** Distinct items, up to the count. */
  function different(count: number, make: () => string): string[] {
    const made = new Set<string>();
    for (let tries = 0; made.size < count && tries < count * 20; tries++) made.add(make());
    return [...made];
  }

  return { random, int, chance, pick, shuffle, some, list, different };
}
