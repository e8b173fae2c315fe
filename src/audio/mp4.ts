import { damagedAudio } from './containers.ts';
import type { FileBytes } from './file-bytes.ts';

export type Mp4 = {
  /** Undefined for a fragmented file that does not declare it. */
  seconds: number | undefined;
  /** The position of the moov box, which decoders need before the media data. */
  moov: { at: number; bytes: number };
  /** Where the media data starts. */
  firstMediaAt: number;
};

type Box = { type: string; at: number; headerBytes: number; bytes: number };

const MOOV_BYTES_MAX = 64 * 1024 * 1024;

export async function readMp4(file: FileBytes): Promise<Mp4> {
  const boxes = await topBoxes(file);
  const moov = boxes.find(({ type }) => type === 'moov');
  if (!moov) throw damagedAudio('is an MP4 without a moov box: it is truncated or was never finished');
  if (moov.bytes > MOOV_BYTES_MAX) throw damagedAudio('is an MP4 with an oversized moov box');
  const content = await file.read(moov.at, moov.bytes);
  const media = boxes.find(({ type }) => type === 'mdat');
  return {
    seconds: soundSeconds(content),
    moov: { at: moov.at, bytes: moov.bytes },
    firstMediaAt: media?.at ?? file.size,
  };
}

async function topBoxes(file: FileBytes): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= file.size;) {
    const box = readBox(await file.read(at, 16), 0, file.size - at);
    if (!box) throw damagedAudio('is a damaged MP4: one of its boxes has no length');
    if (at + box.bytes > file.size) {
      throw damagedAudio(`is truncated: its box "${box.type}" has ${file.size - at} of ${box.bytes} bytes`);
    }
    boxes.push({ ...box, at });
    at += box.bytes;
  }
  return boxes;
}

function readBox(bytes: Buffer, at: number, rest: number): Box | undefined {
  if (at + 8 > bytes.length) return undefined;
  const type = bytes.toString('latin1', at + 4, at + 8);
  const small = bytes.readUInt32BE(at);
  if (small === 1 && at + 16 <= bytes.length) {
    const large = Number(bytes.readBigUInt64BE(at + 8));
    return large < 16 ? undefined : { type, at, headerBytes: 16, bytes: large };
  }
  if (small === 0) return { type, at, headerBytes: 8, bytes: rest };
  return small < 8 ? undefined : { type, at, headerBytes: 8, bytes: small };
}

/** The boxes within a box, each with the range of its content. */
export function* boxesIn(bytes: Buffer, from: number, to: number) {
  for (let at = from; at + 8 <= to;) {
    const box = readBox(bytes, at, to - at);
    if (!box || at + box.bytes > to) return;
    yield { type: box.type, from: at + box.headerBytes, to: at + box.bytes };
    at += box.bytes;
  }
}

function soundSeconds(moov: Buffer): number | undefined {
  const find = (from: number, to: number, type: string) =>
    [...boxesIn(moov, from, to)].find((box) => box.type === type);
  for (const track of boxesIn(moov, 8, moov.length)) {
    if (track.type !== 'trak') continue;
    const media = find(track.from, track.to, 'mdia');
    const handler = media && find(media.from, media.to, 'hdlr');
    if (!media || !handler || moov.toString('latin1', handler.from + 8, handler.from + 12) !== 'soun')
      continue;
    const header = find(media.from, media.to, 'mdhd');
    if (!header) throw damagedAudio('is a damaged MP4: its audio track has no header');
    const isLong = moov[header.from] === 1;
    const rate = moov.readUInt32BE(header.from + (isLong ? 20 : 12));
    const units = isLong
      ? Number(moov.readBigUInt64BE(header.from + 24))
      : moov.readUInt32BE(header.from + 16);
    const isKnown = rate > 0 && units > 0 && units !== 0xffffffff;
    return isKnown && !find(8, moov.length, 'mvex') ? units / rate : undefined;
  }
  throw damagedAudio('has no audio track');
}

/** Adjusts the chunk offsets of a file whose parts have moved. */
export function shiftOffsets(moov: Buffer, by: number): void {
  const visit = (from: number, to: number): void => {
    for (const box of boxesIn(moov, from, to)) {
      if (['trak', 'mdia', 'minf', 'stbl'].includes(box.type)) visit(box.from, box.to);
      if (box.type !== 'stco' && box.type !== 'co64') continue;
      const width = box.type === 'stco' ? 4 : 8;
      const count = Math.min(moov.readUInt32BE(box.from + 4), Math.floor((box.to - box.from - 8) / width));
      for (let index = 0; index < count; index++) {
        const at = box.from + 8 + index * width;
        if (width === 4) moov.writeUInt32BE(moov.readUInt32BE(at) + by, at);
        else moov.writeBigUInt64BE(moov.readBigUInt64BE(at) + BigInt(by), at);
      }
    }
  };
  visit(8, moov.length);
}
