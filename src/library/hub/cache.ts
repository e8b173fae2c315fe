import { existsSync, linkSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { removeEmptyFolders } from '../storage/remove-empty-folders.ts';
import { deleteFile } from '../storage/delete-file.ts';
import type { HubEntry } from './client.ts';
import { makeFolder } from '../../base/make-folder.ts';

export type HubCache = ReturnType<typeof openHubCache>;

type Place = Pick<HubEntry, 'repo' | 'commit' | 'path'>;

/** The folder that other clients of the hub also use, in their layout: blobs by hash, and links to them by name. */
export function openHubCache(root: string) {
  const folderOf = (repo: string) => join(root, `models--${checked(repo).replaceAll('/', '--')}`);
  const blobOf = ({ repo, hash }: Pick<HubEntry, 'repo' | 'hash'>) =>
    join(folderOf(repo), 'blobs', hash.value);
  const snapshotOf = ({ repo, commit, path }: Place) =>
    join(folderOf(repo), 'snapshots', checked(commit), checked(path));

  return {
    root,
    blobOf,
    snapshotOf,
    /** The folder with all files of one commit under their own names. */
    snapshotFolder: (repo: string, commit: string) => join(folderOf(repo), 'snapshots', checked(commit)),

    /** Links a verified blob by its name, and lets other clients find the commit by its branch. */
    publish(entry: HubEntry, revision: string): string {
      const link = snapshotOf(entry);
      const blob = blobOf(entry);
      makeFolder(dirname(link));
      if (!pointsTo(link, blob)) {
        rmSync(link, { force: true });
        symlinkOrLink(blob, link);
      }
      if (revision !== entry.commit)
        writeRef(join(folderOf(entry.repo), 'refs', checked(revision)), entry.commit);
      return link;
    },

    /** A file that some client already has in the cache under this name, even without a network. */
    find(repo: string, path: string, revision: string): { path: string; commit: string } | undefined {
      const ref = join(folderOf(repo), 'refs', checked(revision));
      const commit = existsSync(ref) ? readFileSync(ref, 'utf8').trim() : revision;
      const link = snapshotOf({ repo, commit, path });
      return existsSync(link) ? { path: link, commit } : undefined;
    },

    /** Deletes a link, and the blob too if no other link in this cache refers to it. */
    remove(link: string, blob: string): number {
      rmSync(link, { force: true });
      removeEmptyFolders(dirname(link), root);
      const snapshots = join(dirname(dirname(blob)), 'snapshots');
      if (!existsSync(blob) || linksTo(snapshots, blob)) return 0;
      const { size } = statSync(blob);
      deleteFile(blob);
      removeEmptyRepository(dirname(dirname(blob)), root);
      return size;
    },
  };
}

/** Names come from a server: none may lead out of the cache. */
function checked(name: string): string {
  const isPlain = name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (isPlain && !/[\\:\0]/.test(name)) return name;
  throw new Failure('invalid_value', `${JSON.stringify(name)} is not a valid name of a model file.`);
}

function symlinkOrLink(blob: string, link: string): void {
  try {
    symlinkSync(relative(dirname(link), blob), link);
  } catch (error) {
    // Windows lets few users create symlinks; a hard link serves as well.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    linkSync(blob, link);
  }
}

function pointsTo(link: string, blob: string): boolean {
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return resolve(dirname(link), readlinkSync(link)) === blob;
  return found !== undefined && found.ino === statSync(blob).ino;
}

function linksTo(folder: string, blob: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (each) => !each.isDirectory() && pointsTo(join(each.parentPath, each.name), blob),
  );
}

function writeRef(path: string, commit: string): void {
  makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, commit);
  renameSync(temporary, path);
}

/** Branch names mean nothing without files. */
function removeEmptyRepository(folder: string, root: string): void {
  const blobs = join(folder, 'blobs');
  if (existsSync(join(folder, 'snapshots')) || !existsSync(blobs) || readdirSync(blobs).length > 0) return;
  rmSync(join(folder, 'refs'), { recursive: true, force: true });
  removeEmptyFolders(blobs, root);
}
