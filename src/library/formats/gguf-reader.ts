import { closeSync, openSync, readSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';

type Scalar = string | number | boolean | bigint;

/** Single values by their key; for an array its `.length`, and for a short array of numbers its `.sum`. */
export type Metadata = ReadonlyMap<string, Scalar>;

export type TensorInfo = { name: string; dims: readonly number[] };

const STRING = 8;
const ARRAY = 9;
const SCALAR_BYTES: Record<number, number> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const STRING_BYTES_MAX = 64 * 1024 * 1024;
const VERSIONS = [2, 3];
/** Longer arrays are vocabularies. */
const NUMBERS_MAX = 1024;
const DIMENSIONS_MAX = 8;

type Read<Result> = (metadata: Metadata, tensors: () => TensorInfo[]) => Result;

/**
 * Reads the header of a GGUF file; the weights are not touched. Anything that `read` throws is attributed to the
 * file.
 */
export function readGguf<Result>(path: string, read: Read<Result>): Result {
  const file = openSync(path, 'r');
  try {
    return parseGguf(path, (chunk, position) => readSync(file, chunk, 0, chunk.length, position), read);
  } finally {
    closeSync(file);
  }
}

/** The same for the beginning of a file; undefined if more of it is needed. */
export function readGgufBeginning<Result>(
  name: string,
  beginning: Buffer,
  read: Read<Result>,
): Result | undefined {
  try {
    return parseGguf(name, (chunk, position) => beginning.copy(chunk, 0, position), read);
  } catch (error) {
    if (error instanceof Failure && error.cause instanceof EndsTooEarly) return undefined;
    throw error;
  }
}

class EndsTooEarly extends Error {}

function parseGguf<Result>(path: string, load: Load, read: Read<Result>): Result {
  const reader = openReader(load);
  try {
    if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new Error('it does not start with "GGUF"');
    const version = reader.number(4, 4);
    if (!VERSIONS.includes(version))
      throw new Error(`its format version is ${version}; 2 and 3 are supported`);
    const tensorCount = reader.number(10, 8);
    const metadata = collect(reader, reader.number(10, 8));
    return read(metadata, () => readTensors(reader, tensorCount));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('invalid_model_file', `${path} is not a usable GGUF file: ${reason}.`, {
      param: 'path',
      cause,
    });
  }
}

/** By its content: blobs have no extension. */
export function isGguf(path: string): boolean {
  try {
    return readGguf(path, () => true);
  } catch {
    return false;
  }
}

function collect(reader: Reader, entries: number): Metadata {
  const found = new Map<string, Scalar>();
  for (let entry = 0; entry < entries; entry++) {
    const key = reader.string();
    const type = reader.number(4, 4);
    if (type === ARRAY) readArray(reader, key, found);
    else found.set(key, readValue(reader, type));
  }
  return found;
}

/** Right after the metadata. */
function readTensors(reader: Reader, count: number): TensorInfo[] {
  const tensors: TensorInfo[] = [];
  for (let tensor = 0; tensor < count; tensor++) {
    const name = reader.string();
    const dimensions = reader.number(4, 4);
    if (dimensions > DIMENSIONS_MAX) throw new Error(`one of its tensors has ${dimensions} dimensions`);
    const dims = Array.from({ length: dimensions }, () => reader.number(10, 8));
    // Its type and its offset.
    reader.skip(12);
    tensors.push({ name, dims });
  }
  return tensors;
}

function readValue(reader: Reader, type: number): Scalar {
  if (type === STRING) return reader.string();
  const size = SCALAR_BYTES[type];
  if (size === undefined) throw new Error(`it has a value of the unknown type ${type}`);
  return reader.number(type, size);
}

/** An array is reduced to its length, and a per-layer array of numbers to its sum; vocabularies are skipped. */
function readArray(reader: Reader, key: string, found: Map<string, Scalar>): void {
  const type = reader.number(4, 4);
  const length = reader.number(10, 8);
  found.set(`${key}.length`, length);
  const size = SCALAR_BYTES[type];
  if (size === undefined || length > NUMBERS_MAX) return skipItems(reader, type, length);
  let sum = 0;
  for (let item = 0; item < length; item++) sum += reader.number(type, size);
  found.set(`${key}.sum`, sum);
}

function skipArray(reader: Reader): void {
  skipItems(reader, reader.number(4, 4), reader.number(10, 8));
}

function skipItems(reader: Reader, type: number, length: number): void {
  const size = SCALAR_BYTES[type];
  if (size !== undefined) return reader.skip(length * size);
  for (let item = 0; item < length; item++) {
    if (type === STRING) reader.skip(reader.number(10, 8));
    else if (type === ARRAY) skipArray(reader);
    else throw new Error(`it has an array of the unknown type ${type}`);
  }
}

type Reader = ReturnType<typeof openReader>;

/** Fills a chunk from a position in the file, and returns how much there was. */
type Load = (chunk: Buffer, position: number) => number;

function openReader(load: Load) {
  let position = 0;
  let buffer = Buffer.alloc(0);
  let bufferStart = 0;

  function bytes(length: number): Buffer {
    if (position < bufferStart || position + length > bufferStart + buffer.length) refill(length);
    const from = position - bufferStart;
    if (from + length > buffer.length) throw new EndsTooEarly('it ends too early');
    position += length;
    return buffer.subarray(from, from + length);
  }

  function refill(length: number): void {
    const chunk = Buffer.alloc(Math.max(length, 1 << 20));
    buffer = chunk.subarray(0, load(chunk, position));
    bufferStart = position;
  }

  function number(type: number, size: number): number {
    const raw = bytes(size);
    if (type === 6) return raw.readFloatLE();
    if (type === 12) return raw.readDoubleLE();
    if (size === 8) return Number(type === 11 ? raw.readBigInt64LE() : raw.readBigUInt64LE());
    return type % 2 === 1 && type !== 7 ? raw.readIntLE(0, size) : raw.readUIntLE(0, size);
  }

  function string(): string {
    const length = number(10, 8);
    if (length > STRING_BYTES_MAX) throw new Error('it has a string of an impossible length');
    return bytes(length).toString('utf8');
  }

  return {
    bytes,
    number,
    string,
    skip: (length: number) => void (position += length),
  };
}
