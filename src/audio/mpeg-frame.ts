/** One frame of MPEG audio, or of AAC in ADTS, from its first bytes. */
export type FrameHeader = {
  codec: 'mp1' | 'mp2' | 'mp3' | 'aac';
  bytes: number;
  samples: number;
  sampleRate: number;
  /** Bytes between the header and a Xing header, which has the length of the whole file. */
  sideInfoBytes: number;
};

const KBPS: Record<string, readonly number[]> = {
  'mpeg1 mp1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  'mpeg1 mp2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  'mpeg1 mp3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  'mpeg2 mp1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  'mpeg2 mp2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  'mpeg2 mp3': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const MPEG_RATES = [44_100, 48_000, 32_000];
const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

export function readFrameHeader(bytes: Buffer, at: number): FrameHeader | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  if (a !== 0xff || (b & 0xe0) !== 0xe0) return undefined;
  return (b & 0xf6) === 0xf0 ? readAdts(bytes, at) : readMpeg(b, c, d);
}

function readMpeg(b: number, c: number, d: number): FrameHeader | undefined {
  const version = (['mpeg2.5', undefined, 'mpeg2', 'mpeg1'] as const)[(b >> 3) & 3];
  const codec = ([undefined, 'mp3', 'mp2', 'mp1'] as const)[(b >> 1) & 3];
  const base = MPEG_RATES[(c >> 2) & 3];
  if (version === undefined || codec === undefined || base === undefined) return undefined;
  const isFirst = version === 'mpeg1';
  const kbps = KBPS[`${isFirst ? 'mpeg1' : 'mpeg2'} ${codec}`]?.[(c >> 4) - 1];
  if (kbps === undefined) return undefined;
  const sampleRate = base / { mpeg1: 1, mpeg2: 2, 'mpeg2.5': 4 }[version];
  const padding = (c >> 1) & 1;
  const samples = codec === 'mp1' ? 384 : codec === 'mp2' || isFirst ? 1152 : 576;
  const bytes =
    codec === 'mp1'
      ? (Math.floor((12_000 * kbps) / sampleRate) + padding) * 4
      : Math.floor((samples * 125 * kbps) / sampleRate) + padding;
  const isMono = d >> 6 === 3;
  const sideInfoBytes = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return { codec, bytes, samples, sampleRate, sideInfoBytes };
}

function readAdts(bytes: Buffer, at: number): FrameHeader | undefined {
  if (at + 7 > bytes.length) return undefined;
  const [c = 0, d = 0, e = 0, f = 0] = bytes.subarray(at + 2, at + 6);
  const sampleRate = AAC_RATES[(c >> 2) & 15];
  const length = ((d & 3) << 11) | (e << 3) | (f >> 5);
  if (sampleRate === undefined || length < 7) return undefined;
  return { codec: 'aac', bytes: length, samples: 1024, sampleRate, sideInfoBytes: 0 };
}
