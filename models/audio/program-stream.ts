import { damagedAudio } from '../../src/audio/containers.ts';

const PACK = 0xba;
const END = 0xb9;
const SOUND = { from: 0xc0, to: 0xdf };
const PREFIX_BYTES = 6;

/** Extracts the first audio track of an MPEG program stream, however its bytes are chunked. */
export function createSoundDemuxer() {
  let rest: Buffer = Buffer.alloc(0);
  let track: number | undefined;

  function* push(chunk: Uint8Array): Generator<Buffer> {
    rest = Buffer.concat([rest, chunk]);
    let at = 0;
    for (let length = packetLength(rest, at); length !== undefined; length = packetLength(rest, at)) {
      if (at + length > rest.length) break;
      const id = rest[at + 3] ?? 0;
      if (id >= SOUND.from && id <= SOUND.to) {
        track ??= id;
        if (id === track) yield payload(rest.subarray(at, at + length));
      }
      at += length;
    }
    rest = rest.subarray(at);
  }

  function end(): void {
    if (track === undefined) throw damagedAudio('has no MPEG audio track');
    if (rest.length > PREFIX_BYTES && rest.readUIntBE(0, 3) === 1)
      throw damagedAudio('is truncated within a packet');
  }

  return { push, end };
}

/** Undefined while incomplete. Anything that is not a packet is skipped byte by byte. */
function packetLength(bytes: Buffer, at: number): number | undefined {
  if (at + 14 > bytes.length) return undefined;
  if (bytes.readUIntBE(at, 3) !== 1) return 1;
  const id = bytes[at + 3] ?? 0;
  if (id === END) return 4;
  if (id !== PACK) return PREFIX_BYTES + bytes.readUInt16BE(at + 4);
  const isMpeg2 = (bytes[at + 4] ?? 0) >> 6 === 1;
  return isMpeg2 ? 14 + ((bytes[at + 13] ?? 0) & 7) : 12;
}

function payload(packet: Buffer): Buffer {
  let at = PREFIX_BYTES;
  if ((packet[at] ?? 0) >> 6 === 2) return packet.subarray(at + 3 + (packet[at + 2] ?? 0));
  while (packet[at] === 0xff) at += 1;
  if ((packet[at] ?? 0) >> 6 === 1) at += 2;
  const stamps = (packet[at] ?? 0) >> 4;
  return packet.subarray(at + (stamps === 2 ? 5 : stamps === 3 ? 10 : 1));
}
