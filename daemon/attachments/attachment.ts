import type { Settings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import { createGuard } from '../../src/net/guard.ts';
import { createOutbound, type Outbound, type OutboundResponse } from '../../src/net/outbound.ts';
import { OutboundError } from '../../src/net/outbound-error.ts';

/** A kind of attachment with its limits. */
export type AttachmentKind = {
  noun: 'image' | 'document';
  /** Media types for the Accept header. */
  accept: string;
  bytesMax: number;
  limitName: string;
  /** How a valid data: URL starts. */
  dataUrlExample: string;
};

export type AttachmentPlace = { url: string; param: string; signal: AbortSignal };
export type Attachment = { bytes: Buffer; mime: string };
export type ReadAttachment = (place: AttachmentPlace, kind: AttachmentKind) => Promise<Attachment>;

const FETCH_TIMEOUT_MS = 15_000;
const DATA_URL = /^data:([^;,]*)(;base64)?,/;
const BASE64_END = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads the file behind a URL in a message: a data: URL, or a web URL if fetching is allowed. */
export function createAttachmentReader(
  { imageUrls }: Pick<Settings, 'imageUrls'>,
  openOutbound: () => Outbound,
): ReadAttachment {
  let opened: Outbound | undefined;
  return async (place, kind) => {
    if (place.url.startsWith('data:')) return decodeDataUrl(place, kind);
    refuseUnlessFetched(place, kind, imageUrls);
    return fetchAttachment((opened ??= openOutbound()), place, kind);
  };
}

/** Public addresses only: the exceptions in the settings are for webhooks. */
export function openAttachmentOutbound(): Outbound {
  return createOutbound({ guard: createGuard({}) });
}

export function unusable({ noun }: AttachmentKind, param: string, why: string): Failure {
  return new Failure('invalid_value', `The ${noun} cannot be used: ${why}.`, { param });
}

export function refuseLarge(bytes: number, param: string, kind: AttachmentKind): void {
  if (bytes > kind.bytesMax)
    throw unusable(kind, param, `it has ${bytes} bytes, and ${kind.limitName} is ${kind.bytesMax}`);
}

function decodeDataUrl({ url, param }: AttachmentPlace, kind: AttachmentKind): Attachment {
  const match = DATA_URL.exec(url.slice(0, 200));
  if (!match?.[2]) {
    throw unusable(kind, param, `its data: URL must start with ${kind.dataUrlExample}, followed by base64`);
  }
  const data = url.slice(match[0].length);
  refuseLarge(Buffer.byteLength(data, 'base64'), param, kind);
  const bytes = Buffer.from(data, 'base64');
  if (!isBase64Of(bytes, data)) throw unusable(kind, param, 'its data is not base64');
  return { bytes, mime: match[1] ?? '' };
}

/**
 * The decoder skips invalid characters, so the result is encoded again and compared, which is many times faster than
 * checking each character.
 */
function isBase64Of(file: Buffer, data: string): boolean {
  const whole = Math.max(0, Math.floor((data.length - 1) / 4) * 4);
  return (
    file.toString('base64').slice(0, whole) === data.slice(0, whole) && BASE64_END.test(data.slice(whole))
  );
}

function refuseUnlessFetched(
  { url, param }: AttachmentPlace,
  kind: AttachmentKind,
  isAllowed: boolean,
): void {
  if (!/^https?:\/\//i.test(url))
    throw unusable(kind, param, 'its URL must be a data: URL or start with https://');
  if (isAllowed) return;
  const message = `fetching ${kind.noun}s from URLs is off. Send a data: URL, or turn it on: askd config set image_urls on`;
  throw unusable(kind, param, message);
}

async function fetchAttachment(
  outbound: Outbound,
  { url, param, signal }: AttachmentPlace,
  kind: AttachmentKind,
): Promise<Attachment> {
  const answer = await outbound
    .request({
      url,
      method: 'GET',
      headers: { accept: kind.accept },
      timeoutMs: FETCH_TIMEOUT_MS,
      bodyBytesMax: kind.bytesMax + 1,
      signal,
    })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof OutboundError)
        throw unusable(kind, param, `its URL cannot be used: ${error.message}`);
      throw error;
    });
  return { bytes: bodyOf(answer, param, kind), mime: String(answer.headers['content-type'] ?? '') };
}

function bodyOf({ status, body, isComplete }: OutboundResponse, param: string, kind: AttachmentKind): Buffer {
  if (status !== 200) throw unusable(kind, param, `its URL answered ${status}`);
  if (body.length > kind.bytesMax)
    throw unusable(kind, param, `it has more than ${kind.limitName}, ${kind.bytesMax} bytes`);
  if (!isComplete) throw unusable(kind, param, 'the download timed out');
  return body;
}
