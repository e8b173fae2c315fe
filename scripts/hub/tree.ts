/**
 * A file of a repository on the local hub; a large one is identified by its sha256, a small one by git's hash of it.
 */
export type HubFile = { content: Buffer; isLarge: boolean; hash: string };

const POINTER_BYTES = 134;

/** Some of a repository's files, folders first, and where the next page starts. */
export function pageOfTree(
  files: ReadonlyMap<string, HubFile>,
  { from, filesPerPage }: { from: number; filesPerPage: number },
) {
  const paths = [...files.keys()];
  const folders = new Set(
    paths.flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : [])),
  );
  const all = [
    ...[...folders].map((path) => ({ type: 'directory', path, size: 0 })),
    ...[...files].map(([path, { content, isLarge, hash }]) => ({
      type: 'file',
      path,
      size: content.length,
      ...(isLarge ? { lfs: { oid: hash, size: content.length, pointerSize: POINTER_BYTES } } : { oid: hash }),
    })),
  ];
  const next = from + filesPerPage < all.length ? from + filesPerPage : undefined;
  return { entries: all.slice(from, from + filesPerPage), next };
}
