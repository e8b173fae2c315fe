import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const LENGTH_BYTES = 8;
/** Those of real models have some hundred kilobytes. */
const HEADER_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of a value; the size of a tensor of another dtype is not checked. */
const TYPE_BYTES: Readonly<Record<string, number>> = {
  ...{ F64: 8, F32: 4, F16: 2, BF16: 2, F8_E4M3: 1, F8_E5M2: 1 },
  ...{ I64: 8, I32: 4, I16: 2, I8: 1, U64: 8, U32: 4, U16: 2, U8: 1, BOOL: 1 },
};

/** What is wrong with a safetensors file, judged by its header; the weights are not read. */
export function safetensorsFault(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = (at: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    };
    return faultIn(read, size);
  } finally {
    closeSync(file);
  }
}

function faultIn(read: (at: number, length: number) => Buffer, size: number): string | undefined {
  if (size < LENGTH_BYTES) return 'it is too short for a safetensors file';
  const length = Number(read(0, LENGTH_BYTES).readBigUInt64LE());
  if (length > size - LENGTH_BYTES) return 'it is not a safetensors file, or it ends inside its header';
  if (length > HEADER_BYTES_MAX)
    return `its header has ${length} bytes, and the limit is ${HEADER_BYTES_MAX}`;
  const tensors = parse(read(LENGTH_BYTES, length).toString());
  if (tensors === undefined) return 'its header is not a JSON object';
  const weightBytes = size - LENGTH_BYTES - length;
  for (const [name, tensor] of Object.entries(tensors)) {
    const fault = name === '__metadata__' ? undefined : tensorFault(tensor, weightBytes);
    if (fault !== undefined) return `its tensor ${JSON.stringify(name.slice(0, 100))} ${fault}`;
  }
  return undefined;
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function tensorFault(tensor: unknown, weightBytes: number): string | undefined {
  const { dtype, shape, data_offsets: offsets } = Object(tensor) as Record<string, unknown>;
  if (typeof dtype !== 'string' || !areSizes(shape) || !areSizes(offsets) || offsets.length !== 2)
    return 'lacks a valid dtype, shape or data_offsets';
  const [begin = 0, end = 0] = offsets;
  if (begin > end) return 'ends before it begins';
  if (end > weightBytes) return `ends at byte ${end} of the weights, but there are only ${weightBytes}`;
  const bytes = shape.reduce((product, length) => product * length, TYPE_BYTES[dtype] ?? NaN);
  if (!Number.isNaN(bytes) && bytes !== end - begin)
    return `has ${end - begin} bytes, but its dtype and shape need ${bytes}`;
  return undefined;
}

function areSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && each >= 0);
}
