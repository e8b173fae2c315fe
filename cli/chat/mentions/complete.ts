import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Candidate } from '../../prompt/editor/composer.ts';
import { formatBytes } from '../../output/format.ts';
import type { Counts } from './counts.ts';
import { mentionOf, unfinishedMention } from './find.ts';
import { listFiles } from './list.ts';

export type Offer = { candidates: readonly Candidate[]; part: string };

const CANDIDATES_MAX = 50;
/** This many are counted: those that are shown at first. */
const COUNTED_MAX = 6;
const ELSEWHERE = /^(?:~?\/|\.\.?\/)/;

/**
 * Completes `@path` at the end of a text: from all files below the current folder, or along a path that leads
 * elsewhere.
 */
export function createMentions(counts: Counts) {
  let listed: Promise<string[]> | undefined;
  let paths: readonly string[] | undefined;

  /** Listed again for each mention, since files come and go. */
  function list(): Promise<string[]> {
    listed ??= listFiles(process.cwd()).then((files) => {
      listed = undefined;
      paths = withFolders(files);
      return [...paths];
    });
    return listed;
  }

  function offer(written: string, found: readonly string[]): Offer {
    const shown = found.slice(0, CANDIDATES_MAX);
    const about = counts.of(shown.slice(0, COUNTED_MAX));
    const candidates = shown.map((path) => ({
      text: mentionOf(path),
      label: path,
      about: about.get(path) ?? sizeOf(path),
      goesOn: path.endsWith('/'),
    }));
    return { candidates, part: written };
  }

  return (text: string): Offer | Promise<Offer> | undefined => {
    const mention = unfinishedMention(text);
    if (mention === undefined) return undefined;
    const { written, path } = mention;
    if (ELSEWHERE.test(path)) return offer(written, entriesAt(path));
    const isNew = path === '' || paths === undefined;
    if (isNew) return list().then((all) => offer(written, ranked(all, path)));
    return offer(written, ranked(paths ?? [], path));
  };
}

/** Each folder before its contents. */
function withFolders(files: readonly string[]): string[] {
  const all = new Set<string>();
  for (const file of files) {
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1))
      all.add(file.slice(0, at + 1));
    all.add(file);
  }
  return [...all];
}

/** Paths with this prefix, then names with this prefix, then those that contain it. */
export function ranked(paths: readonly string[], typed: string): string[] {
  if (typed === '') return paths.filter((path) => !path.slice(0, -1).includes('/'));
  const wanted = typed.toLowerCase();
  const beginning: string[] = [];
  const named: string[] = [];
  const within: string[] = [];
  for (const path of paths) {
    const lower = path.toLowerCase();
    const name = lower.slice(lower.lastIndexOf('/', lower.length - 2) + 1);
    if (lower.startsWith(wanted)) beginning.push(path);
    else if (name.startsWith(wanted)) named.push(path);
    else if (lower.includes(wanted)) within.push(path);
  }
  return [...beginning, ...named, ...within];
}

/** The contents of the folder that a path has led to so far. */
function entriesAt(path: string): string[] {
  const end = path.lastIndexOf('/') + 1;
  const [before, name] = [path.slice(0, end), path.slice(end)];
  try {
    return readdirSync(resolve(before.replace(/^~(?=\/)/, homedir())), { withFileTypes: true })
      .filter((entry) => entry.name.startsWith(name) && (name !== '' || !entry.name.startsWith('.')))
      .map((entry) => before + entry.name + (entry.isDirectory() ? '/' : ''))
      .sort();
  } catch {
    return [];
  }
}

function sizeOf(path: string): string | undefined {
  if (path.endsWith('/')) return undefined;
  const stats = statSync(resolve(path.replace(/^~(?=\/)/, homedir())), { throwIfNoEntry: false });
  return stats && formatBytes(stats.size);
}
