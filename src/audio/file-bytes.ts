import { open } from 'node:fs/promises';

/** A file with random access, read a little at a time. */
export type FileBytes = {
  size: number;
  /** Fewer bytes than requested only at the end of the file. */
  read(at: number, length: number): Promise<Buffer>;
};

export async function withFile<Result>(
  path: string,
  use: (file: FileBytes) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return await use({
      size,
      async read(at, length) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await handle.close();
  }
}
