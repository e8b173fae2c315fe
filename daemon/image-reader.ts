import { disableTypes, imageSize, types } from 'image-size';
import type { Settings } from '../src/config.ts';
import { Failure } from '../src/errors.ts';
import { createGuard } from '../src/net/guard.ts';
import { createOutbound, type Outbound, type OutboundResponse } from '../src/net/outbound.ts';
import { OutboundError } from '../src/net/outbound-error.ts';
import type { ContentPart } from '../src/runtime/engine.ts';

export type ImagePart = Extract<ContentPart, { type: 'image' }>;

/** Reads the image behind a URL of a message; `param` is the place to name when it cannot be used. */
export type ReadImage = (url: string, param: string, signal: AbortSignal) => Promise<ImagePart>;

const FORMATS = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' };
disableTypes(types.filter((type) => !(type in FORMATS)));

const FETCH_TIMEOUT_MS = 15_000;
const DATA_URL = /^data:([^;,]*)(;base64)?,/;
const BASE64_END = /^[A-Za-z0-9+/]+={0,2}$/;

type Limits = Pick<Settings, 'imageBytesMax' | 'imagePixelsMax' | 'imageUrls'>;

/** Checks by what the bytes say, and before any model is loaded: kind and size stand in the first of them. */
export function createImageReader(limits: Limits, openOutbound: () => Outbound): ReadImage {
  let opened: Outbound | undefined;
  const outbound = () => (opened ??= openOutbound());
  return async (url, param, signal) => {
    const file = url.startsWith('data:')
      ? decodeDataUrl(url, param, limits)
      : await fetchImage({ url, param, signal, limits, outbound });
    return checkImage(file, param, limits);
  };
}

/** To public addresses alone: what the settings open is for webhooks. */
export function openImageOutbound(): Outbound {
  return createOutbound({ guard: createGuard({}) });
}

function decodeDataUrl(url: string, param: string, { imageBytesMax }: Limits): Buffer {
  const match = DATA_URL.exec(url.slice(0, 200));
  if (!match?.[2]) throw unusable(param, 'a data: URL of an image is data:image/png;base64, and then base64');
  const data = url.slice(match[0].length);
  refuseLarge(Buffer.byteLength(data, 'base64'), param, imageBytesMax);
  const file = Buffer.from(data, 'base64');
  if (!isBase64Of(file, data)) throw unusable(param, 'its data is not base64');
  return file;
}

/** The decoder skips what is no base64, and then there is less. Writing it again is many times faster than a look at each letter. */
function isBase64Of(file: Buffer, data: string): boolean {
  const whole = Math.max(0, Math.floor((data.length - 1) / 4) * 4);
  return (
    file.toString('base64').slice(0, whole) === data.slice(0, whole) && BASE64_END.test(data.slice(whole))
  );
}

function refuseLarge(bytes: number, param: string, imageBytesMax: number): void {
  if (bytes <= imageBytesMax) return;
  throw unusable(param, `it has ${bytes} bytes, and image_bytes_max is ${imageBytesMax}`);
}

function checkImage(file: Buffer, param: string, { imageBytesMax, imagePixelsMax }: Limits): ImagePart {
  refuseLarge(file.length, param, imageBytesMax);
  const { type, width, height } = sizeOf(file, param);
  if (width * height > imagePixelsMax) {
    throw unusable(param, `it has ${width} × ${height} pixels, and image_pixels_max is ${imagePixelsMax}`);
  }
  return { type: 'image', data: file.toString('base64'), mime: FORMATS[type as keyof typeof FORMATS] };
}

function sizeOf(file: Buffer, param: string): { type?: string; width: number; height: number } {
  try {
    const size = imageSize(file);
    if (size.width > 0 && size.height > 0) return size;
  } catch {
    // Said below: whatever is wrong with it, it is none of these.
  }
  throw unusable(param, 'it is no PNG, JPEG, WebP or GIF');
}

type Fetching = { url: string; param: string; signal: AbortSignal; limits: Limits; outbound: () => Outbound };

async function fetchImage({ url, param, signal, limits, outbound }: Fetching): Promise<Buffer> {
  if (!/^https?:\/\//i.test(url)) throw unusable(param, 'an image is a data: URL, or an https:// address');
  if (!limits.imageUrls) {
    const message =
      'addresses of images are not fetched here. Send a data: URL, or turn the setting image_urls on';
    throw unusable(param, message);
  }
  const answer = await outbound()
    .request({
      url,
      method: 'GET',
      headers: { accept: Object.values(FORMATS).join(', ') },
      timeoutMs: FETCH_TIMEOUT_MS,
      bodyBytesMax: limits.imageBytesMax + 1,
      signal,
    })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof OutboundError)
        throw unusable(param, `its address cannot be used: ${error.message}`);
      throw error;
    });
  return bodyOf(answer, param, limits);
}

function bodyOf(
  { status, body, isComplete }: OutboundResponse,
  param: string,
  { imageBytesMax }: Limits,
): Buffer {
  if (status !== 200) throw unusable(param, `its address answered ${status}`);
  if (body.length > imageBytesMax)
    throw unusable(param, `it has more than image_bytes_max, ${imageBytesMax} bytes`);
  if (!isComplete) throw unusable(param, 'its address did not send all of it in time');
  return body;
}

function unusable(param: string, why: string): Failure {
  return new Failure('invalid_value', `The image cannot be used: ${why}.`, { param });
}
