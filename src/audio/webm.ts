import { damagedAudio } from './containers.ts';
import type { FileBytes } from './file-bytes.ts';

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const CLUSTER = 0x1f43b675;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const DEFAULT_SCALE = 1_000_000;
const NANO = 1e9;

/** `bytes` is undefined for an element of unknown length, as in live recordings. */
type Element = { id: number; from: number; bytes: number | undefined };

/** The duration that a Matroska or WebM file declares. */
export async function webmSeconds(file: FileBytes): Promise<number | undefined> {
  const header = await readElement(file, 0);
  const segment =
    header?.bytes === undefined ? undefined : await readElement(file, header.from + header.bytes);
  if (segment?.id !== SEGMENT) throw damagedAudio('is a damaged WebM: it has no segment');
  if (segment.bytes !== undefined && segment.from + segment.bytes > file.size) {
    const there = file.size - segment.from;
    throw damagedAudio(`is truncated: it declares a segment of ${segment.bytes} bytes and has ${there}`);
  }
  for (let at = segment.from; at < file.size;) {
    const element = await readElement(file, at);
    if (!element || element.id === CLUSTER || element.bytes === undefined) return undefined;
    if (element.id === INFO) return readInfo(file, element.from, element.from + element.bytes);
    at = element.from + element.bytes;
  }
  return undefined;
}

async function readInfo(file: FileBytes, from: number, to: number): Promise<number | undefined> {
  let scale = DEFAULT_SCALE;
  let duration: number | undefined;
  for (let at = from; at < to;) {
    const element = await readElement(file, at);
    if (element?.bytes === undefined) break;
    const content = await file.read(element.from, Math.min(8, element.bytes));
    if (element.id === TIMESTAMP_SCALE && content.length > 0) scale = readUnsigned(content);
    if (element.id === DURATION)
      duration = content.length === 4 ? content.readFloatBE(0) : content.readDoubleBE(0);
    at = element.from + element.bytes;
  }
  return duration === undefined ? undefined : (duration * scale) / NANO;
}

async function readElement(file: FileBytes, at: number): Promise<Element | undefined> {
  const bytes = await file.read(at, 12);
  const idLength = lengthOf(bytes[0]);
  const sizeLength = lengthOf(bytes[idLength]);
  if (idLength === 0 || idLength > 4 || sizeLength === 0 || idLength + sizeLength > bytes.length)
    return undefined;
  const id = readUnsigned(bytes.subarray(0, idLength));
  const digits = bytes.subarray(idLength, idLength + sizeLength);
  const own = (digits[0] ?? 0) & (2 ** (8 - sizeLength) - 1);
  const size = readUnsigned(digits.subarray(1)) + own * 256 ** (sizeLength - 1);
  const isUnknown = own === 2 ** (8 - sizeLength) - 1 && digits.subarray(1).every((byte) => byte === 255);
  return { id, from: at + idLength + sizeLength, bytes: isUnknown ? undefined : size };
}

/** The leading zeros of the first byte give the length of a number in bytes. */
function lengthOf(first = 0): number {
  return first === 0 ? 0 : Math.clz32(first) - 23;
}

function readUnsigned(bytes: Buffer): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
