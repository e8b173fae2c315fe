import type { Random } from './random.ts';

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const CHANGES_MAX = 4;
const BLOCK_BYTES_MAX = 4096;
const BYTES_MAX = 8 * 1024 * 1024;
/** Headers, lengths and counts are mostly here. */
const HEADER_BYTES = 512;
const HEADER_SHARE = 0.6;
const EDGES = [
  0n,
  1n,
  0x7fn,
  0x80n,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  2n ** 63n - 1n,
  2n ** 64n - 1n,
];
const WIDTHS = [1, 2, 4, 8];

/** The file with a few changes: to bits, numbers, its length and its order. */
export function mutate(seed: Buffer, random: Random, other: Buffer): Buffer {
  return apply(MUTATIONS, seed, random, other);
}

/** Its length and its order stay, so that a reader gets further. */
export function mutateInPlace(seed: Buffer, random: Random, other: Buffer): Buffer {
  return apply(IN_PLACE, seed, random, other);
}

function apply(mutations: readonly Mutation[], ...[seed, random, other]: Parameters<Mutation>): Buffer {
  let bytes: Buffer = Buffer.from(seed);
  for (let left = 1 + random.below(CHANGES_MAX); left > 0; left--) {
    bytes = random.pick(mutations)(bytes, random, other).subarray(0, BYTES_MAX);
  }
  return bytes;
}

const flipBit: Mutation = (bytes, random) => {
  const at = placeIn(bytes, random);
  if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes;
};

const setEdge: Mutation = (bytes, random) => {
  const edge = random.pick(EDGES);
  return writeNumber(bytes, random, () => edge);
};

const changeNumber: Mutation = (bytes, random) => {
  const by = BigInt(random.below(33) - 16);
  return writeNumber(bytes, random, (value) => value + by);
};

const growNumber: Mutation = (bytes, random) => {
  const factor = 1n << BigInt(random.below(32));
  return writeNumber(bytes, random, (value) => value * factor);
};

const truncate: Mutation = (bytes, random) => bytes.subarray(0, placeIn(bytes, random));

const removeBlock: Mutation = (bytes, random) => {
  const [from, to] = blockIn(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const repeatBlock: Mutation = (bytes, random) => {
  const [from, to] = blockIn(bytes, random);
  const block = bytes.subarray(from, to);
  const copies = Array.from({ length: 1 + random.below(16) }, () => block);
  return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)]);
};

const fillBlock: Mutation = (bytes, random) => {
  const [from, to] = blockIn(bytes, random);
  return bytes.fill(random.pick([0, 0xff, 0x20, random.below(256)]), from, to);
};

const moveBlock: Mutation = (bytes, random) => {
  const [from, to] = blockIn(bytes, random);
  bytes.copyWithin(placeIn(bytes, random), from, to);
  return bytes;
};

const splice: Mutation = (bytes, random, other) =>
  Buffer.concat([bytes.subarray(0, placeIn(bytes, random)), other.subarray(placeIn(other, random))]);

const IN_PLACE = [flipBit, setEdge, changeNumber, growNumber];
const MUTATIONS = [
  ...[flipBit, flipBit, setEdge, setEdge, changeNumber, growNumber],
  ...[truncate, removeBlock, repeatBlock, fillBlock, moveBlock, splice],
];

function placeIn(bytes: Buffer, random: Random): number {
  const isInHeader = random.chance(HEADER_SHARE);
  return random.below(isInHeader ? Math.min(HEADER_BYTES, bytes.length) : bytes.length);
}

function blockIn(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = placeIn(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random.below(BLOCK_BYTES_MAX))];
}

/** A number of some width and byte order, changed in place. */
function writeNumber(bytes: Buffer, random: Random, change: (value: bigint) => bigint): Buffer {
  const width = random.pick(WIDTHS);
  const at = placeIn(bytes, random);
  const isLittle = random.chance(0.5);
  const number = bytes.subarray(at, at + width);
  if (isLittle) number.reverse();
  const value = BigInt.asUintN(width * 8, change(BigInt(`0x0${number.toString('hex')}`)));
  const digits = value
    .toString(16)
    .padStart(width * 2, '0')
    .slice(0, number.length * 2);
  Buffer.from(digits, 'hex').copy(number);
  if (isLittle) number.reverse();
  return bytes;
}
