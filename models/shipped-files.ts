import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../src/base/errors.ts';
import type { ModelManifest } from '../src/runtime/manifest.ts';

const PIECE_BYTES = 1024 * 1024;

/** Verifies the files of a shipped model before it is loaded. */
export async function checkShipped({ card }: ModelManifest): Promise<void> {
  if (card === undefined) return;
  for (const [path, expected] of Object.entries(card.files)) {
    const file = join(card.folder, path);
    if ((await hashOf(file)) === expected) continue;
    throw new Failure(
      'invalid_model_file',
      `${file} was modified after installation. Reinstall askd, or use another model: askd models`,
    );
  }
}

/** Undefined if there is no such file. */
async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file, { highWaterMark: PIECE_BYTES }), hash);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}
