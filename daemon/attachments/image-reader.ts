import type { imageSize } from 'image-size';
import type { Settings } from '../../src/config/config.ts';
import type { Outbound } from '../../src/net/outbound.ts';
import type { ContentPart } from '../../src/runtime/engine.ts';
import { createAttachmentReader, refuseLarge, unusable, type AttachmentKind } from './attachment.ts';

export type ImagePart = Extract<ContentPart, { type: 'image' }>;

/** Reads the image behind a URL in a message; `param` is named in errors. */
export type ReadImage = (url: string, param: string, signal: AbortSignal) => Promise<ImagePart>;

const FORMATS = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' };

type Limits = Pick<Settings, 'imageBytesMax' | 'imagePixelsMax' | 'imageUrls'>;

/** Checks type and size by the first bytes, before any model is loaded. */
export function createImageReader(limits: Limits, openOutbound: () => Outbound): ReadImage {
  const read = createAttachmentReader(limits, openOutbound);
  const kind: AttachmentKind = {
    noun: 'image',
    accept: Object.values(FORMATS).join(', '),
    bytesMax: limits.imageBytesMax,
    limitName: 'image_bytes_max',
    dataUrlExample: 'data:image/png;base64',
  };
  return async (url, param, signal) => {
    const { bytes } = await read({ url, param, signal }, kind);
    return await checkImage(bytes, param, kind, limits.imagePixelsMax);
  };
}

async function checkImage(
  file: Buffer,
  param: string,
  kind: AttachmentKind,
  pixelsMax: number,
): Promise<ImagePart> {
  refuseLarge(file.length, param, kind);
  const { type, width, height } = await sizeOf(file, param, kind);
  if (width * height > pixelsMax) {
    const why = `it has ${width} × ${height} pixels, and image_pixels_max is ${pixelsMax}`;
    throw unusable(kind, param, why);
  }
  return { type: 'image', data: file.toString('base64'), mime: FORMATS[type as keyof typeof FORMATS] };
}

async function sizeOf(
  file: Buffer,
  param: string,
  kind: AttachmentKind,
): Promise<{ type?: string; width: number; height: number }> {
  const measure = await loadMeasure();
  try {
    const size = measure(file);
    if (size.width > 0 && size.height > 0) return size;
  } catch {
    // Reported below: whatever is wrong with it, it is none of these.
  }
  throw unusable(kind, param, 'it is not a PNG, JPEG, WebP or GIF file');
}

let loading: Promise<typeof imageSize> | undefined;

/** Imported with the first image, and set to look only for these formats. */
function loadMeasure(): Promise<typeof imageSize> {
  return (loading ??= import('image-size').then(({ disableTypes, imageSize: measure, types }) => {
    disableTypes(types.filter((type) => !(type in FORMATS)));
    return measure;
  }));
}
