import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { kindOfFile } from '../extract/file-kind.ts';

/** A file that came over HTTP, under its name or its path within the chosen folder. */
export type UploadedFile = { name: string; bytes: Uint8Array };

export type DocumentUploads = ReturnType<typeof createDocumentUploads>;

const SEGMENT_BYTES_MAX = 200;
const SEGMENTS_MAX = 20;

/** Copies of files that exist nowhere else on this machine, in a folder for each collection. */
export function createDocumentUploads({ folder }: { folder: string }) {
  const folderOf = (collection: string) => join(folder, collection);

  /** An existing file is replaced. */
  async function keep(collection: string, { name, bytes }: UploadedFile): Promise<void> {
    const path = join(folderOf(collection), ...segmentsOf(name));
    // Hidden, so that a half-written file is never indexed.
    const partial = join(folderOf(collection), `.${newId('upl')}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeFile(partial, bytes, { mode: 0o600 });
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  return {
    folderOf,
    keep,
    drop: (collection: string) => rm(folderOf(collection), { recursive: true, force: true }),
  };
}

/** Why it would not be indexed. */
export function obstacleTo(name: string): string | undefined {
  if (kindOfFile(name) === undefined) return 'not Markdown, text, HTML, PDF or code';
  return segmentsOf(name).some((each) => each.startsWith('.')) ? 'hidden' : undefined;
}

/** Below the folder, whatever the name says. */
function segmentsOf(name: string): string[] {
  const segments = name.split('/');
  const isUsable = (segment: string) =>
    segment !== '' &&
    segment !== '.' &&
    segment !== '..' &&
    Buffer.byteLength(segment) <= SEGMENT_BYTES_MAX &&
    // eslint-disable-next-line no-control-regex
    !/[\u0000-\u001f\u007f\\:]/.test(segment);
  if (segments.length <= SEGMENTS_MAX && segments.every(isUsable)) return segments;
  throw new Failure('invalid_value', `${JSON.stringify(name)} is not a valid file name.`, {
    param: 'files',
  });
}
