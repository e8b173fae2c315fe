import { Header } from 'tar';
import type { Contents } from '../../../src/library/archive/contents.ts';

/** The first member of an archive of models, which describes the others. */
export function listOf(archive: Buffer): Buffer {
  const { size = 0 } = new Header(archive.subarray(0, 512));
  return archive.subarray(512, 512 + size);
}

export function contentsOf(archive: Buffer): Contents {
  return JSON.parse(listOf(archive).toString('utf8')) as Contents;
}

export type TarMember = { path: string; body: Buffer; type?: 'SymbolicLink' | 'Link'; linkpath?: string };

/** A tar file with any members, including ones that no program of ours writes. */
export function tarOf(members: readonly TarMember[]): Buffer {
  const blocks = members.flatMap(({ path, body, type = 'File' as const, ...rest }) => {
    const header = Buffer.alloc(512);
    new Header({
      path,
      size: type === 'File' ? body.length : 0,
      type,
      mode: 0o644,
      mtime: new Date(0),
      ...rest,
    }).encode(header, 0);
    if (type !== 'File') return [header];
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
