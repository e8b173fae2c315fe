import { mutate } from './mutate.ts';
import type { Random } from './random.ts';

type Parent = Record<string, unknown> | unknown[];

const CHANGES_MAX = 3;
const STEPS_MAX = 8;
/** Even all changes nested in each other are not too deep to be serialized. */
const NESTED = 1_500;
const ODD: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => -1,
  () => 2 ** 53,
  () => 1e308,
  () => '',
  () => [],
  () => ({}),
  () => true,
  () => '\ud800',
  () => 'a'.repeat(100_000),
  (random) => 'x'.repeat(random.below(32)),
  () => Array.from({ length: 10_000 }, (_, index) => index),
  () => nested(NESTED),
];

/** The document with a few of its values removed, duplicated or of another type; or with its bytes changed. */
export function mutateJson(seed: Buffer, random: Random, other: Buffer): Buffer {
  if (random.chance(0.25)) return mutate(seed, random, other);
  const document = JSON.parse(seed.toString()) as Parent;
  for (let left = 1 + random.below(CHANGES_MAX); left > 0; left--) change(document, random);
  return Buffer.from(JSON.stringify(document));
}

function change(document: Parent, random: Random): void {
  let [parent, key] = [document, random.pick(Object.keys(document))];
  for (let step = random.below(STEPS_MAX); step > 0; step--) {
    const child = parent[key as never] as unknown;
    if (typeof child !== 'object' || child === null || Object.keys(child).length === 0) break;
    [parent, key] = [child as Parent, random.pick(Object.keys(child))];
  }
  const at = key as never;
  if (random.chance(0.25)) remove(parent, key);
  else if (random.chance(0.2)) parent[at] = parent[random.pick(Object.keys(parent)) as never];
  else parent[at] = random.pick(ODD)(random) as never;
}

function remove(parent: Parent, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
