export type SampleFormat = { rate: number; channels: number };

/** Format of the daemon's raw samples: 16 bits, little-endian. */
export const RAW: SampleFormat = { rate: 24_000, channels: 1 };

const HEAD_BYTES = 44;

/** Splits a stream of WAV bytes into its header and what follows it; undefined until the header is there. */
export function readHead(bytes: Uint8Array): { format: SampleFormat; samplesAt: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = { rate: 0, channels: 0 };
  let at = 12;
  while (at + 8 <= bytes.length) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (name === 'data') return { format, samplesAt: at + 8 };
    if (name === 'fmt ' && at + 16 <= bytes.length) {
      format.channels = view.getUint16(at + 10, true);
      format.rate = view.getUint32(at + 12, true);
    }
    at += 8 + view.getUint32(at + 4, true);
  }
  return undefined;
}

/** Whole samples in the browser's format. An odd byte at the end waits for its other half. */
export function toSamples(bytes: Uint8Array): { samples: Float32Array<ArrayBuffer>; rest: Uint8Array } {
  const count = Math.floor(bytes.length / 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(count);
  for (let index = 0; index < count; index++) samples[index] = view.getInt16(index * 2, true) / 32_768;
  return { samples, rest: bytes.subarray(count * 2) };
}

/** The header that turns raw samples into a file. */
export function wavHead(bytes: number, { rate, channels }: SampleFormat): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(HEAD_BYTES);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('RIFF----WAVEfmt '));
  view.setUint32(4, HEAD_BYTES - 8 + bytes, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  head.set(new TextEncoder().encode('data'), 36);
  view.setUint32(40, bytes, true);
  return head;
}

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
