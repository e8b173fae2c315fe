import { Failure } from '../base/errors.ts';
import { readFrameHeader } from './mpeg-frame.ts';

/** The format of an audio file, from its bytes and not from its name. */
export type Container =
  'wav' | 'mp3' | 'flac' | 'ogg-opus' | 'ogg-vorbis' | 'ogg-flac' | 'mp4' | 'webm' | 'aac' | 'mpeg';

/** Enough of a file to identify it. */
export const HEAD_BYTES = 64 * 1024;

const KNOWN = 'mp3, mp4, mpeg, mpga, m4a, wav, webm, flac, ogg';

/** Throws a failure that names what the file seems to be instead. */
export function findContainer(head: Buffer): Container {
  if (head.length === 0) throw notAudio('is empty');
  const found = byMagic(head) ?? byFrames(head.subarray(afterTag(head)));
  if (found) return found;
  throw notAudio(`is not in a supported audio format: ${looksLike(head)}`);
}

export function notAudio(reason: string): Failure {
  const message = `The file ${reason}. Send one of ${KNOWN}.`;
  return new Failure('invalid_audio', message, { param: 'file' });
}

export function damagedAudio(reason: string, cause?: unknown): Failure {
  return new Failure('invalid_audio', `The file ${reason}.`, { param: 'file', cause });
}

const BOXES = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'];

function byMagic(head: Buffer): Container | undefined {
  const text = (at: number, length: number) => head.toString('latin1', at, at + length);
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 4) === 'OggS') return inOgg(head);
  if (BOXES.includes(text(4, 4))) return 'mp4';
  if (text(0, 4) === '\x1a\x45\xdf\xa3') return 'webm';
  if (text(0, 4) === '\x00\x00\x01\xba') return 'mpeg';
  return undefined;
}

function inOgg(head: Buffer): Container {
  const body = 27 + (head[26] ?? 0);
  const codec = head.toString('latin1', body, body + 8);
  if (codec === 'OpusHead') return 'ogg-opus';
  if (codec.startsWith('\x01vorbis')) return 'ogg-vorbis';
  if (codec.startsWith('\x7fFLAC')) return 'ogg-flac';
  throw notAudio('is an Ogg file without an Opus, Vorbis or FLAC stream');
}

/** Raw frames: two in a row are required, since the first bytes of other files can look like one. */
function byFrames(bytes: Buffer): Container | undefined {
  for (let at = 0; at + 4 <= Math.min(bytes.length, 4096); at++) {
    const first = readFrameHeader(bytes, at);
    if (!first) continue;
    const next = at + first.bytes;
    const isFollowed =
      next + 7 > bytes.length ? at === 0 : readFrameHeader(bytes, next)?.codec === first.codec;
    if (isFollowed) return first.codec === 'aac' ? 'aac' : 'mp3';
  }
  return undefined;
}

/** Where the frames start: after an ID3 tag, if there is one. */
export function afterTag(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
}

const OTHERS: readonly (readonly [magic: string, what: string])[] = [
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['MThd', 'MIDI, which has notes but no audio'],
  ['FORM', 'AIFF'],
  ['caff', 'CAF'],
  ['#!AMR', 'AMR'],
  ['RF64', 'RF64, a WAV beyond 4 GB'],
  ['0&\xb2u', 'WMA or WMV'],
  ['\x00\x00\x01\xb3', 'MPEG video without audio'],
];

function looksLike(head: Buffer): string {
  const start = head.toString('latin1', 0, 8);
  const known = OTHERS.find(([magic]) => start.startsWith(magic));
  if (known) return `it looks like ${known[1]}`;
  const isText = head.subarray(0, 512).every((byte) => byte >= 32 || [9, 10, 13].includes(byte));
  return isText ? 'it looks like text' : 'its format is unknown';
}
