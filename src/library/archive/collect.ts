import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { filesIn } from '../adopt/folder.ts';
import { shardsOf } from '../formats/shards.ts';
import type { ArchivedBytes, ArchivedModel } from './contents.ts';

export type Source = { path: string; absolute: string };

const MEMBER_LENGTH_MAX = 60;
/** The files of a downloaded model that are not weights: its card and its terms. */
const PAPERS = /^(licen[cs]e|notice|readme|use_policy)/i;

/** The files of a model under the paths that they will have in their own folder, and its manifest with those paths. */
export function collectModel(manifest: ModelManifest): {
  model: ArchivedModel['manifest'];
  sources: Source[];
} {
  const own = { ...manifest };
  delete own.draft;
  delete own.origin;
  if (statSync(manifest.path).isDirectory()) return collectFolder(own);
  const taken = new Map<string, string>();
  const place = (absolute: string, prefix = '') => {
    const name = `${prefix}${nameOf(absolute)}`;
    taken.set(absolute, name);
    return name;
  };
  const shards = shardsOf(manifest.path);
  for (const shard of shards) place(shard);
  const files = mapValues(manifest.files ?? {}, (path, role) => taken.get(path) ?? place(path, `${role}/`));
  const adapters = (manifest.adapters ?? []).map((adapter) => ({
    ...adapter,
    path: place(adapter.path, `adapters/${adapter.name}/`),
  }));
  if (manifest.hub) for (const paper of papersBeside(manifest.path)) place(paper);
  return {
    model: {
      ...own,
      path: taken.get(manifest.path) ?? '',
      ...(manifest.files && { files }),
      ...(adapters.length > 0 && { adapters }),
    },
    sources: [...taken].map(([absolute, path]) => ({ absolute, path })),
  };
}

function collectFolder(manifest: ModelManifest) {
  const sources = filesIn(manifest.path).map((absolute) => ({
    absolute,
    path: relative(manifest.path, absolute).split(sep).join('/'),
  }));
  const files = mapValues(manifest.files ?? {}, (path) => relative(manifest.path, path).split(sep).join('/'));
  return { model: { ...manifest, path: '.', ...(manifest.files && { files }) }, sources };
}

/** A blob's name says nothing about its content, and has no extension. */
function nameOf(path: string): string {
  const name = basename(path);
  return /\.[a-z]+$/i.test(name)
    ? name.replace(/[\\:]/g, '-')
    : `${name.slice(-16).replace(/[^A-Za-z0-9]/g, '-')}.gguf`;
}

function papersBeside(path: string): string[] {
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => PAPERS.test(name))
    .map((name) => join(folder, name));
}

function mapValues(record: Readonly<Record<string, string>>, map: (value: string, key: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

/** Numbered, so that names are unique and even the longest fits a tar header. */
export function memberName(number: number, path: string): string {
  const plain = basename(path).replace(/[^A-Za-z0-9._-]/g, '_');
  return `files/${String(number).padStart(4, '0')}-${plain.slice(-MEMBER_LENGTH_MAX)}`;
}

export async function describeFile<Named extends { member: string }>(
  file: Named,
  absolute: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (bytes: number) => void },
): Promise<Named & ArchivedBytes> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = createReadStream(absolute, { highWaterMark: 1024 * 1024, signal });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes?.(chunk.length);
  }
  return { ...file, bytes, sha256: hash.digest('hex') };
}
