/** A file with its path below what was dropped or chosen. */
export type NamedFile = { name: string; file: File };

/** The files of an input; with a folder, each file knows its path in it. */
export function chosenFiles(files: FileList | null): NamedFile[] {
  return Array.from(files ?? [], (file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** Files, and all files in folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  // All at once: after the event, the browser forgets them.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const known = entries.filter((entry) => entry !== null);
  return (await Promise.all(known.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  const name = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ name, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: NamedFile[] = [];
  for (;;) {
    // A reader returns a part of its folder at a time, and finally nothing.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return files;
    for (const each of part) files.push(...(await filesOf(each)));
  }
}
