import type { DocsEvent } from '../../../../../../src/api/management/docs.ts';
import { reach } from '../../../data/api.ts';
import { readEvents } from '../../../data/playground-key.ts';
import type { NamedFile } from './dropped-files.ts';

/** The daemon's limits: a request of 20 MiB including its base64, with 100 files. */
const REQUEST_BYTES_MAX = 14 * 1024 * 1024;
const REQUEST_FILES_MAX = 100;

type FileEvent = Extract<DocsEvent, { type: 'file' }>;
export type Progress = { total: number; files: readonly FileEvent[] };

type Adding = { collection: string; onProgress: (progress: Progress) => void; signal: AbortSignal };

/** A file or folder of the daemon's machine. */
export async function addPath(path: string, { collection, onProgress, signal }: Adding): Promise<Progress> {
  let progress: Progress = { total: 0, files: [] };
  for await (const event of send('/api/daemon/docs', { path, collection }, signal)) {
    if (event.type === 'found') progress = { ...progress, total: event.files };
    if (event.type === 'file') progress = { ...progress, files: [...progress.files, event] };
    onProgress(progress);
  }
  return progress;
}

/** Copies of files, a few at a time. */
export async function addFiles(
  files: readonly NamedFile[],
  { collection, onProgress, signal }: Adding,
): Promise<Progress> {
  const tooLarge = files.filter(({ file }) => file.size > REQUEST_BYTES_MAX);
  let progress: Progress = { total: files.length, files: tooLarge.map(({ name }) => refused(name)) };
  for (const batch of batches(files.filter((each) => !tooLarge.includes(each)))) {
    const body = { collection, files: await Promise.all(batch.map(toUpload)) };
    const seen: FileEvent[] = [];
    for await (const event of send('/api/daemon/docs/files', body, signal))
      if (event.type === 'file') seen.push(event);
    // Nothing needs to be said about those that were already there.
    const news = seen.filter(({ status }) => status !== 'unchanged');
    const same = batch.length - news.length;
    const unchanged = seen.filter(({ status }) => status === 'unchanged').slice(0, Math.max(0, same));
    progress = { ...progress, files: [...progress.files, ...news, ...unchanged] };
    onProgress(progress);
  }
  return progress;
}

function refused(path: string): FileEvent {
  const reason = 'larger than 14 MiB: add it by its path on the machine';
  return { type: 'file', path, status: 'failed', reason };
}

function batches(files: readonly NamedFile[]): NamedFile[][] {
  const all: NamedFile[][] = [];
  let size = Infinity;
  for (const each of files) {
    const isFull = size + each.file.size > REQUEST_BYTES_MAX;
    if (isFull || (all.at(-1)?.length ?? 0) >= REQUEST_FILES_MAX) {
      all.push([]);
      size = 0;
    }
    all.at(-1)?.push(each);
    size += each.file.size;
  }
  return all;
}

async function toUpload({ name, file }: NamedFile): Promise<{ name: string; content: string }> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(`${name} could not be read.`));
    reader.readAsDataURL(file);
  });
  return { name, content: url.slice(url.indexOf(',') + 1) };
}

async function* send(path: string, body: object, signal: AbortSignal): AsyncGenerator<DocsEvent> {
  const response = await reach(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  let isDone = false;
  for await (const data of readEvents(response)) {
    const event = JSON.parse(data) as DocsEvent | { type?: never; error?: { message: string } };
    if (event.type === undefined) throw new Error(event.error?.message ?? 'The daemon stopped.');
    isDone = event.type === 'done';
    yield event;
  }
  if (!isDone) throw new Error('The daemon stopped before all files were read. Add them again to continue.');
}
