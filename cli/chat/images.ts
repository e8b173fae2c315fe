import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { Failure } from '../../src/base/errors.ts';

/** Signatures of the supported image formats. */
const KINDS: readonly (readonly [mime: string, head: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
];

const HEAD_LENGTH = 16;

/** A prompt with images. */
export function withImages(prompt: string, files: readonly string[] = []): ChatMessage['content'] {
  if (files.length === 0) return prompt;
  const images = files.map((file) => ({
    type: 'image_url' as const,
    image_url: { url: toDataUrl(file) },
  }));
  return [{ type: 'text', text: prompt }, ...images];
}

export function isImage(path: string): boolean {
  const head = Buffer.alloc(HEAD_LENGTH);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, head);
    return kindOf(head) !== undefined;
  } finally {
    closeSync(descriptor);
  }
}

function kindOf(file: Buffer) {
  const head = file.subarray(0, HEAD_LENGTH).toString('latin1');
  return KINDS.find(([, pattern]) => pattern.test(head));
}

function toDataUrl(path: string): string {
  const file = readImage(path);
  const kind = kindOf(file);
  if (kind) return `data:${kind[0]};base64,${file.toString('base64')}`;
  throw new Failure('invalid_value', `${path} is not a PNG, JPEG, WebP or GIF image.`, {
    details: { fix: 'convert it to one of these formats' },
  });
}

function readImage(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Failure('not_found', `The image ${path} cannot be read.`, {
      cause,
      details: { fix: `ls -l ${path}` },
    });
  }
}
