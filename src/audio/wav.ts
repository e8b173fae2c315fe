import { damagedAudio } from './containers.ts';
import type { FileBytes } from './file-bytes.ts';

export type Wav = {
  /** The content of the fmt chunk. */
  format: Buffer;
  /** Where the sound lies. */
  data: { at: number; bytes: number };
  bytesPerSecond: number;
};

const FORMAT_BYTES = { pcm: 16, adpcm: 20, max: 4096 };
/** Written when the length was unknown at the time of the header. */
const LENGTH_UNKNOWN = [0, 0xffffffff];

export async function readWav(file: FileBytes): Promise<Wav> {
  let format: Buffer | undefined;
  for (let at = 12; at + 8 <= file.size;) {
    const header = await file.read(at, 8);
    const name = header.toString('latin1', 0, 4);
    const length = header.readUInt32LE(4);
    if (name === 'fmt ') format = checked(await file.read(at + 8, Math.min(length, FORMAT_BYTES.max)));
    if (name === 'data') {
      if (format === undefined) throw damagedAudio('is a WAV without a fmt chunk');
      const there = file.size - at - 8;
      const bytes = LENGTH_UNKNOWN.includes(length) ? there : length;
      if (bytes > there)
        throw damagedAudio(`is truncated: it declares ${bytes} bytes of sound and has ${there}`);
      return { format, data: { at: at + 8, bytes }, bytesPerSecond: format.readUInt32LE(8) };
    }
    at += 8 + length + (length % 2);
  }
  throw damagedAudio('is a WAV without a data chunk');
}

/** Without the chunks that decoders would have to skip: most do not know that an odd one is padded. */
export function wavHeader({ format, data }: Wav): Buffer {
  const header = Buffer.concat([Buffer.from('RIFF....WAVEfmt ....'), format, Buffer.from('data....')]);
  header.writeUInt32LE(Math.min(0xffffffff, header.length - 8 + data.bytes), 4);
  header.writeUInt32LE(format.length, 16);
  header.writeUInt32LE(data.bytes, header.length - 4);
  return header;
}

/** Half a byte for a sample, in blocks that begin with whole ones. */
const ADPCM = [2, 0x11];
const EXTENSIBLE = 0xfffe;

/** A few bytes that claim many channels or samples would take gigabytes once decoded. */
function checked(format: Buffer): Buffer {
  const number = (at: number) => (at + 2 > format.length ? 0 : format.readUInt16LE(at));
  const isAdpcm = ADPCM.includes(number(0) === EXTENSIBLE ? number(24) : number(0));
  if (format.length < (isAdpcm ? FORMAT_BYTES.adpcm : FORMAT_BYTES.pcm))
    throw damagedAudio('is a WAV with a truncated fmt chunk');
  if (format.readUInt32LE(8) === 0) throw damagedAudio('is a WAV of 0 bytes a second');
  const [channels, blockBytes, blockSamples] = [number(2), number(12), isAdpcm ? number(18) : 1];
  if (channels > 0 && channels * Math.max(1, blockSamples) <= blockBytes * (isAdpcm ? 2 : 1)) return format;
  throw damagedAudio(`is a damaged WAV: it has ${channels} channels in blocks of ${blockBytes} bytes`);
}
