import { closeSync, openSync, readSync } from 'node:fs';
import { Failure } from '../errors.ts';

export type GgufHeader = {
  architecture: string;
  name?: string;
  licence?: string;
  contextTokensMax: number;
  embeddingLength: number;
  /** How it makes one vector of a text; generating models have none. */
  poolingType?: number;
};

type Scalar = string | number | boolean | bigint;

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

/** Reads the few facts that askd needs from the head of a GGUF file; the weights are not touched. */
export function readGgufHeader(path: string): GgufHeader {
  const reader = openReader(path);
  try {
    if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new Error('it does not begin with "GGUF"');
    const version = reader.number(4, 4);
    if (!VERSIONS.includes(version)) throw new Error(`its format version is ${version}; 2 and 3 are known`);
    reader.bytes(8);
    return collect(reader, reader.number(10, 8));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('invalid_model_file', `${path} is not a usable GGUF file: ${reason}.`, {
      param: 'path',
      cause,
    });
  } finally {
    reader.close();
  }
}

function collect(reader: Reader, entries: number): GgufHeader {
  const found = new Map<string, Scalar>();
  for (let entry = 0; entry < entries; entry++) {
    const key = reader.string();
    const value = readValue(reader, reader.number(4, 4));
    if (value !== undefined) found.set(key, value);
  }
  const architecture = found.get('general.architecture');
  if (typeof architecture !== 'string') throw new Error('it names no architecture');
  if (!found.has('tokenizer.ggml.model')) throw new Error('it has no tokenizer');
  const name = found.get('general.name');
  const licence = found.get('general.license');
  const pooling = found.get(`${architecture}.pooling_type`);
  return {
    architecture,
    contextTokensMax: Number(found.get(`${architecture}.context_length`) ?? 0),
    embeddingLength: Number(found.get(`${architecture}.embedding_length`) ?? 0),
    ...(pooling !== undefined && { poolingType: Number(pooling) }),
    ...(typeof name === 'string' && { name }),
    ...(typeof licence === 'string' && { licence }),
  };
}

/** Arrays are passed over: vocabularies are long, and nothing here needs them. */
function readValue(reader: Reader, type: number): Scalar | undefined {
  if (type === STRING) return reader.string();
  if (type === ARRAY) {
    skipArray(reader);
    return undefined;
  }
  const size = SCALAR_BYTES[type];
  if (size === undefined) throw new Error(`it has a value of the unknown type ${type}`);
  return reader.number(type, size);
}

function skipArray(reader: Reader): void {
  const type = reader.number(4, 4);
  const length = reader.number(10, 8);
  const size = SCALAR_BYTES[type];
  if (size !== undefined) return reader.skip(length * size);
  for (let item = 0; item < length; item++) {
    if (type === STRING) reader.skip(reader.number(10, 8));
    else if (type === ARRAY) skipArray(reader);
    else throw new Error(`it has an array of the unknown type ${type}`);
  }
}

type Reader = ReturnType<typeof openReader>;

function openReader(path: string) {
  const file = openSync(path, 'r');
  let position = 0;
  let buffer = Buffer.alloc(0);
  let bufferStart = 0;

  function bytes(length: number): Buffer {
    if (position < bufferStart || position + length > bufferStart + buffer.length) refill(length);
    const from = position - bufferStart;
    if (from + length > buffer.length) throw new Error('it ends too early');
    position += length;
    return buffer.subarray(from, from + length);
  }

  function refill(length: number): void {
    const chunk = Buffer.alloc(Math.max(length, 1 << 20));
    const read = readSync(file, chunk, 0, chunk.length, position);
    buffer = chunk.subarray(0, read);
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
    if (length > STRING_BYTES_MAX) throw new Error('it has a text of an impossible length');
    return bytes(length).toString('utf8');
  }

  return {
    bytes,
    number,
    string,
    skip: (length: number) => void (position += length),
    close: () => closeSync(file),
  };
}
