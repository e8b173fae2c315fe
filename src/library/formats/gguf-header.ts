import { closeSync, openSync, readSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';
import { slidingWindowOf } from './sliding-window.ts';

export type GgufHeader = {
  architecture: string;
  name?: string;
  licence?: string;
  /** The parameter count as its authors write it: 4B. */
  sizeLabel?: string;
  /** The quantization: see `general.file_type` of the format. */
  fileType?: number;
  chatTemplate?: string;
  contextTokensMax: number;
  embeddingLength: number;
  shape: GgufShape;
  /** How it pools its output into one vector; generating models have none. */
  poolingType?: number;
};

/** Determines the memory of a context. */
export type GgufShape = {
  /** KV cache elements per token, over all layers. */
  cacheElementsPerToken: number;
  /** The share of layers with a sliding window, which keep no more than its tokens. */
  window: { tokens: number; elementsPerToken: number };
  heads: number;
  embeddingLength: number;
  feedForwardLength: number;
  vocabularyTokens: number;
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
/** Longer arrays are vocabularies. */
const NUMBERS_MAX = 1024;

/** Reads the few facts that askd needs from the header of a GGUF file; the weights are not touched. */
export function readGgufHeader(path: string): GgufHeader {
  const reader = openReader(path);
  try {
    if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new Error('it does not start with "GGUF"');
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
    const type = reader.number(4, 4);
    if (type === ARRAY) readArray(reader, key, found);
    else found.set(key, readValue(reader, type));
  }
  const architecture = found.get('general.architecture');
  if (typeof architecture !== 'string') throw new Error('it declares no architecture');
  if (!found.has('tokenizer.ggml.model')) throw new Error('it has no tokenizer');
  const name = found.get('general.name');
  const licence = found.get('general.license');
  const pooling = found.get(`${architecture}.pooling_type`);
  const fileType = found.get('general.file_type');
  const sizeLabel = found.get('general.size_label');
  const chatTemplate = found.get('tokenizer.chat_template');
  return {
    architecture,
    contextTokensMax: Number(found.get(`${architecture}.context_length`) ?? 0),
    embeddingLength: Number(found.get(`${architecture}.embedding_length`) ?? 0),
    ...(pooling !== undefined && { poolingType: Number(pooling) }),
    shape: shapeOf(architecture, found),
    ...(typeof name === 'string' && { name }),
    ...(typeof licence === 'string' && { licence }),
    ...(typeof sizeLabel === 'string' && { sizeLabel }),
    ...(fileType !== undefined && { fileType: Number(fileType) }),
    ...(typeof chatTemplate === 'string' && { chatTemplate }),
  };
}

/** A file without head counts has one key and one value of the embedding's length per layer. */
function shapeOf(architecture: string, found: ReadonlyMap<string, Scalar>): GgufShape {
  const get = (name: string) => {
    const value = found.get(`${architecture}.${name}`);
    return value === undefined ? undefined : Number(value);
  };
  const layers = get('block_count') ?? 0;
  const embeddingLength = get('embedding_length') ?? 0;
  const heads = get('attention.head_count') ?? 1;
  const headLength = embeddingLength / heads;
  const keyAndValue =
    (get('attention.key_length') ?? headLength) + (get('attention.value_length') ?? headLength);
  // Hybrid models have attention in every n-th layer only; the others keep a state of fixed size.
  const attending = layers / (get('full_attention_interval') ?? 1);
  const cacheHeads =
    get('attention.head_count_kv.sum') ?? (get('attention.head_count_kv') ?? heads) * attending;
  const window = slidingWindowOf({
    architecture,
    layers,
    windowTokens: get('attention.sliding_window'),
    period: get('attention.sliding_window_pattern'),
    windowedLayers: get('attention.sliding_window_pattern.sum'),
  });
  const elements = Math.ceil(cacheHeads * keyAndValue);
  const windowed = window ? Math.floor((elements * window.layers) / layers) : 0;
  return {
    cacheElementsPerToken: elements,
    window: { tokens: window?.tokens ?? 0, elementsPerToken: windowed },
    heads,
    embeddingLength,
    feedForwardLength: get('feed_forward_length') ?? 4 * embeddingLength,
    vocabularyTokens: Number(found.get('tokenizer.ggml.tokens.length') ?? 0),
  };
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
    if (length > STRING_BYTES_MAX) throw new Error('it has a string of an impossible length');
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
