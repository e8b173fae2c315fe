export const WAV_HEADER_BYTES = 44;

/** Mono, 16 bits. Without a length, the header says that it is unknown; players then read to the end. */
export function wavHeader(rate: number, soundBytes?: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF');
  header.writeUInt32LE(soundBytes === undefined ? 0xffffffff : soundBytes + WAV_HEADER_BYTES - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(soundBytes ?? 0xffffffff, 40);
  return header;
}
