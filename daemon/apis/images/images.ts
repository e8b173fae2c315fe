import type { CompletedImage, ImageEvent, ImageRequest, ImageResult } from '../../../src/api/tasks/images.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Address } from '../../../src/gallery/gallery.ts';
import type { Drawn, DrawInput, DrawProgress } from '../../../src/inference/draw.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';

const DEFAULT_MODEL = 'svc-image-v1';
const DEFAULT_SIZE = '1024x1024';

const ONLY_QUALITY = ['auto', 'standard'];
/** Parameters of other services with only one possible value here. */
const NO_CHOICES = {
  background: ['auto', 'opaque'],
  moderation: ['auto', 'low'],
} as const;

/** Rules that the schema of a single field cannot express. */
export function checkImageRequest(
  { stream, partial_images: drafts, ...body }: ImageRequest,
  leaveOut: LeaveOut,
): void {
  const { output_format: format = 'png', output_compression: quality } = body;
  if (body.quality !== undefined && !ONLY_QUALITY.includes(body.quality)) leaveOut('quality', 'quality');
  if (drafts !== undefined && drafts > 0 && !stream) {
    throw new Failure('invalid_value', '"partial_images" needs "stream": true.', { param: 'partial_images' });
  }
  for (const [param, known] of Object.entries(NO_CHOICES)) {
    const value = body[param as keyof typeof NO_CHOICES];
    if (value === undefined || known.some((each) => each === value)) continue;
    const message = `Only ${known.map((each) => `"${each}"`).join(' and ')} are supported for "${param}".`;
    throw new Failure('unsupported_parameter', message, { param });
  }
  if (format === 'png' && quality !== undefined && quality !== 100) {
    const message = '"output_compression" applies to jpeg and webp only; png is lossless.';
    throw new Failure('invalid_value', message, { param: 'output_compression' });
  }
}

export function toDrawInput(body: ImageRequest): DrawInput {
  const { prompt, steps, seed, negative_prompt: negativePrompt, output_compression: quality } = body;
  const [width = 0, height = 0] = sizeOf(body).split('x').map(Number);
  return {
    model: body.model ?? DEFAULT_MODEL,
    stream: body.stream ?? false,
    prompt,
    width,
    height,
    format: body.output_format ?? 'png',
    drafts: body.partial_images ?? 0,
    ...(negativePrompt !== undefined && { negativePrompt }),
    ...(steps !== undefined && { steps }),
    ...(seed !== undefined && { seed }),
    ...(quality !== undefined && { quality }),
  };
}

export type Answering = {
  body: ImageRequest;
  created: number;
  /** Stores an image and returns its URL. */
  publish: (picture: Uint8Array) => Promise<{ url: string; expires_at: number }>;
};

export async function toResult({ picture, seed }: Drawn, answering: Answering): Promise<ImageResult> {
  const { body, created, publish } = answering;
  const isUrl = (body.response_format ?? 'url') === 'url';
  const shown = isUrl ? await publish(picture) : { b64_json: toBase64(picture) };
  return { created, data: [{ ...shown, seed }], ...lookOf(body) };
}

/** A stream contains the image itself, unless its URL was requested. */
export async function toEventOf(progress: DrawProgress, answering: Answering): Promise<ImageEvent> {
  const { body, created: created_at, publish } = answering;
  if (progress.type === 'step') {
    const { step, steps } = progress;
    return { type: 'image_generation.progress', step, steps };
  }
  const b64 = () => ({ b64_json: toBase64(progress.picture) });
  const look = { created_at, ...lookOf(body) };
  if (progress.type === 'draft') {
    return { type: 'image_generation.partial_image', ...b64(), partial_image_index: progress.index, ...look };
  }
  const shown: Partial<CompletedImage> =
    body.response_format === 'url' ? await publish(progress.picture) : b64();
  return { type: 'image_generation.completed', ...shown, seed: progress.seed, ...look };
}

export function urlOf({ name, expires, signature }: Address, root: string): string {
  return `${root}/images/${name}?expires=${expires}&signature=${signature}`;
}

function sizeOf({ size = DEFAULT_SIZE }: ImageRequest): string {
  return size === 'auto' ? DEFAULT_SIZE : size;
}

function lookOf(body: ImageRequest) {
  const { output_format = 'png' } = body;
  return { size: sizeOf(body), output_format, quality: 'standard', background: 'opaque' };
}

function toBase64(picture: Uint8Array): string {
  return Buffer.from(picture).toString('base64');
}
