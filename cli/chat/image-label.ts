const DATA_URL = /^data:image\/(png|jpeg|gif|webp);base64,/;
/** The size of a JPEG comes after its metadata. */
const HEAD_LENGTH = 256 * 1024;

/** `[image 512×512 png]`, from the file's own content. */
export function imageLabel(url: string): string {
  const kind = DATA_URL.exec(url)?.[1];
  if (kind === undefined) return `[image ${url.slice(0, 80)}]`;
  const size = sizeOf(kind, Buffer.from(url.slice(url.indexOf(',') + 1, HEAD_LENGTH), 'base64'));
  return size ? `[image ${size.width}×${size.height} ${kind}]` : `[image ${kind}]`;
}

type Size = { width: number; height: number };

function sizeOf(kind: string, bytes: Buffer): Size | undefined {
  try {
    if (kind === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (kind === 'gif') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    return kind === 'jpeg' ? jpegSize(bytes) : webpSize(bytes);
  } catch {
    // Truncated.
    return undefined;
  }
}

/** In the first "start of frame" segment. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
