import { createReadStream, mkdirSync, type ReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { createSignatures } from './signature.ts';

export type GalleryOptions = {
  folder: string;
  keys: Parameters<typeof createSignatures>[0];
  clock: Clock;
  /** How long a URL is valid and its image is kept. */
  keepMs: number;
  /** Space for all images together; the oldest are deleted to make room. */
  budgetBytes: number;
};

export type Gallery = ReturnType<typeof createGallery>;

export type Address = { name: string; expires: number; signature: string };
export type Kept = { type: string; bytes: number; expires: number; content: ReadStream };

const TYPES: Record<string, string> = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };
/**
 * `PREFIX_ID.EXPIRY.FORMAT`: the name holds everything that is known about an image, and no other file is ever
 * opened.
 */
const NAME = /^img_[0-9A-Z]{26}\.(\d{10,12})\.(png|jpeg|webp)$/;
const UNFINISHED = '.part';

/** Generated images in files, for anyone who has a signed URL. */
export function createGallery({ folder, keys, clock, keepMs, budgetBytes }: GalleryOptions) {
  const signatures = createSignatures(keys);
  /** Writing and cleaning up take turns, so that the same space is never counted twice. */
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function write(picture: Uint8Array, format: string): Promise<Address> {
    if (picture.length > budgetBytes) {
      const message = `An image of ${picture.length} bytes is larger than image_store_bytes (${budgetBytes}).`;
      throw new Failure(
        'disk_full',
        `${message} Request "response_format": "b64_json", or raise the setting.`,
      );
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await makeRoom(picture.length);
    const expires = Math.ceil((clock.now() + keepMs) / 1000);
    const name = `${newId('img', clock.now())}.${expires}.${format}`;
    const path = join(folder, name);
    await writeFile(path + UNFINISHED, picture, { mode: 0o600, flag: 'wx' });
    await rename(path + UNFINISHED, path);
    return { name, expires, signature: signatures.sign({ name, expires }) };
  }

  /** Deletes expired and unfinished files, then the oldest until the given number of bytes fits. */
  async function makeRoom(bytesMore = 0): Promise<void> {
    const kept: { name: string; bytes: number }[] = [];
    for (const name of (await namesIn(folder)).sort()) {
      if (isOver(name)) await remove(name);
      else kept.push({ name, bytes: (await stat(join(folder, name))).size });
    }
    let bytes = kept.reduce((sum, each) => sum + each.bytes, bytesMore);
    for (const oldest of kept) {
      if (bytes <= budgetBytes) return;
      await remove(oldest.name);
      bytes -= oldest.bytes;
    }
  }

  /** Only names of the gallery's own format are deleted; other files are left alone. */
  function isOver(name: string): boolean {
    const expires = expiryOf(name);
    return expires === undefined || expires * 1000 <= clock.now();
  }

  async function remove(name: string): Promise<void> {
    await rm(join(folder, name), { force: true });
  }

  return {
    keep: (picture: Uint8Array, format: string): Promise<Address> => inTurn(() => write(picture, format)),
    prune: (): Promise<void> => inTurn(() => makeRoom()),

    async open({ name, expires, signature }: Address): Promise<Kept> {
      if (!signatures.isGenuine({ name, expires }, signature) || expiryOf(name) !== expires) {
        throw new Failure('image_address_invalid', 'This is not an image URL of this server.');
      }
      if (expires * 1000 <= clock.now()) throw gone('The URL of this image has expired.');
      const path = join(folder, name);
      const file = await open(path).catch(() => undefined);
      if (!file) throw gone('This image was deleted to make room for newer ones.');
      const { size } = await file.stat();
      const type = TYPES[NAME.exec(name)?.[2] ?? ''] ?? 'application/octet-stream';
      return { type, bytes: size, expires, content: createReadStream(path, { fd: file, autoClose: true }) };
    },
  };
}

function expiryOf(name: string): number | undefined {
  const expires = NAME.exec(name)?.[1];
  return expires === undefined ? undefined : Number(expires);
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.startsWith('img_'));
}

function gone(message: string): Failure {
  return new Failure('image_expired', `${message} Generate it again with the same seed.`);
}
