import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Model } from '../../src/api/management/models.ts';
import type { Client } from '../client/client.ts';
import { formatCount } from '../output/format.ts';
import { withImages } from './images.ts';

/** Files for the next message. */
export type Attachments = { files: string[]; canSee: (model: string) => Promise<boolean> };

export function createAttachments(client: Client): Attachments {
  return { files: [], canSee: (model) => canSee(client, model) };
}

/** A vision model may be bound to any service. If unknown, the request itself will tell. */
async function canSee(client: Client, model: string): Promise<boolean> {
  const record: Partial<Model> = await client.model(model).catch(() => ({}));
  if (record.capabilities === undefined || record.capabilities['vision']) return true;
  return ['vision', 'upstream'].includes(record.local?.engine ?? '');
}

/** `/image photo.jpg`: attaches an image to the next message. Returns what to print. */
export async function attachImage(
  { files, canSee }: Attachments,
  model: string,
  argument: string,
): Promise<string> {
  if (argument === '') return describe(files);
  if (argument === 'none') {
    files.length = 0;
    return 'The next message has no image.';
  }
  try {
    if (!(await canSee(model)))
      return `${model} does not accept images. Switch to a model that does: /model svc-vision-v1`;
    const file = pathOf(argument);
    withImages('', [file]);
    files.push(file);
    return `${describe(files)} Now ask about it.`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** The message with its images, which are then detached. */
export function takeContent({ files }: Attachments, text: string): ChatMessage['content'] {
  return withImages(text, files.splice(0));
}

function describe(files: readonly string[]): string {
  if (files.length === 0) return 'No image is attached. To attach one: /image FILE';
  const names = files.map((file) => basename(file)).join(', ');
  return `The next message has ${formatCount(files.length, 'image')}: ${names}.`;
}

/** As typed, or as terminals paste a dropped file: quoted, or with escaped spaces. */
function pathOf(typed: string): string {
  const bare = /^(['"])(.*)\1$/.exec(typed)?.[2] ?? typed.replace(/\\(.)/g, '$1');
  return resolve(bare.replace(/^~(?=\/)/, homedir()));
}
