import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { mutate, mutateInPlace } from './mutate.ts';
import { mutateJson } from './mutate-json.ts';
import type { Random } from './random.ts';

/** Mostly changes that do not shift the rest: after one wrong length, a reader stops at once. */
export function mutateGguf(seed: Buffer, random: Random, other: Buffer): Buffer {
  return (random.chance(0.7) ? mutateInPlace : mutate)(seed, random, other);
}

const PNG_SIGNATURE_BYTES = 8;

/** A decoder stops at the first wrong checksum, so most are corrected. */
export function mutatePng(seed: Buffer, random: Random, other: Buffer): Buffer {
  const bytes = (random.chance(0.6) ? mutateInPlace : mutate)(seed, random, other);
  if (random.chance(0.2)) return bytes;
  for (let at = PNG_SIGNATURE_BYTES; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) break;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return bytes;
}

export const SAFETENSORS_LENGTH_BYTES = 8;

/** Its header is JSON behind its length. Most changes are refused there, so that some leave it right. */
export function mutateSafetensors(seed: Buffer, random: Random, other: Buffer): Buffer {
  if (random.chance(0.3)) return mutate(seed, random, other);
  const headerOf = (file: Buffer) =>
    file.subarray(SAFETENSORS_LENGTH_BYTES, SAFETENSORS_LENGTH_BYTES + Number(file.readBigUInt64LE()));
  const isRight = random.chance(0.4);
  const header = isRight
    ? mutateTensors(headerOf(seed), random)
    : mutateJson(headerOf(seed), random, headerOf(other));
  const length = Buffer.from(seed.subarray(0, SAFETENSORS_LENGTH_BYTES));
  if (isRight || random.chance(0.9)) length.writeBigUInt64LE(BigInt(header.length));
  const rest = seed.subarray(SAFETENSORS_LENGTH_BYTES + headerOf(seed).length);
  return Buffer.concat([length, header, rest]);
}

type Tensor = { dtype: string; shape: number[] };
type TensorMutation = (tensors: Record<string, Tensor>, name: string, random: Random) => void;

const TENSOR_MUTATIONS: readonly TensorMutation[] = [
  (tensors, name) => delete tensors[name],
  (tensors, name, random) => (tensors[name] = tensors[random.pick(Object.keys(tensors))] as Tensor),
  (tensors, name, random) => (tensors[random.pick([name.slice(0, -1), `${name}.0`, ''])] = of(tensors, name)),
  (tensors, name, random) => (of(tensors, name).dtype = random.pick(['BF16', 'I16', 'U16'])),
  (tensors, name) => of(tensors, name).shape.reverse(),
  (tensors, name, random) => of(tensors, name).shape.splice(random.below(3), 0, 1, 1),
  (tensors, name) => (of(tensors, name).shape = [of(tensors, name).shape.reduce((a, b) => a * b, 1)]),
];

const of = (tensors: Record<string, Tensor>, name: string) => tensors[name] as Tensor;

/** Tensors that are gone, doubled or of another name, type or shape, each as long as its place. */
function mutateTensors(header: Buffer, random: Random): Buffer {
  const tensors = JSON.parse(header.toString()) as Record<string, Tensor>;
  for (let left = 1 + random.below(3); left > 0; left--) {
    random.pick(TENSOR_MUTATIONS)(tensors, random.pick(Object.keys(tensors)), random);
  }
  return Buffer.from(JSON.stringify(tensors));
}

const TAR_BLOCK_BYTES = 512;
const TAR_CHECKSUM = { from: 148, to: 156 };

/** Mostly inside the compression, whose own checksum hides the rest, and mostly with correct header checksums. */
export function mutateTar(seed: Buffer, random: Random, other: Buffer): Buffer {
  if (random.chance(0.2)) return mutate(seed, random, other);
  const bytes = (random.chance(0.6) ? mutateInPlace : mutate)(gunzipSync(seed), random, gunzipSync(other));
  if (random.chance(0.8)) repairTar(bytes);
  return gzipSync(bytes);
}

function repairTar(bytes: Buffer): void {
  for (let at = 0; at + TAR_BLOCK_BYTES <= bytes.length; at += TAR_BLOCK_BYTES) {
    const header = bytes.subarray(at, at + TAR_BLOCK_BYTES);
    if (header.toString('latin1', 257, 262) !== 'ustar') continue;
    header.fill(' ', TAR_CHECKSUM.from, TAR_CHECKSUM.to);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, TAR_CHECKSUM.from, 'latin1');
  }
}
