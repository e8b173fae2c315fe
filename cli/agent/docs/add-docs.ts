import { basename } from 'node:path';
import type { Collection, DocsEvent } from '../../../src/api/management/docs.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';

export type FileEvent = Extract<DocsEvent, { type: 'file' }>;

const NAME_MAX = 64;

/** Indexes what is new or changed below a path, and drops what is gone. */
export async function addDocs(
  client: Pick<Client, 'agent'>,
  request: { path: string; collection: string },
  onFile: (done: number, total: number) => void = () => undefined,
): Promise<{ files: FileEvent[]; collection: Collection }> {
  const files: FileEvent[] = [];
  let total = 0;
  let collection: Collection | undefined;
  for await (const event of client.agent.docs.add(request)) {
    if (event.type === 'found') total = event.files;
    else if (event.type === 'done') collection = event.collection;
    else onFile(Math.min(files.push(event), total), total);
  }
  if (collection === undefined)
    throw new Failure(
      'daemon_unreachable',
      'The daemon stopped before all files were read. Run the command again to resume.',
    );
  return { files, collection };
}

/** Folder names may be invalid as collection names. */
export function collectionFor(path: string): string {
  const name = basename(path)
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replace(/^[ ._-]+|[ ._-]+$/g, '');
  return name.slice(0, NAME_MAX).trimEnd() || 'documents';
}
