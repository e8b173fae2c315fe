import type { Attachment } from '../state/turn.ts';

const MEBIBYTE = 1024 * 1024;
/** The daemon's limits: `image_bytes_max` by default, and the size of a request with its base64. */
export const IMAGE_BYTES_MAX = 10 * MEBIBYTE;
export const ALL_BYTES_MAX = 14 * MEBIBYTE;
export const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*,.md,.json,.csv';
const IMAGE = /^image\/(png|jpeg|webp|gif)$/;

export type ReadFiles = { attachments: Attachment[]; problems: string[] };

/** Reads what a person dropped, pasted or chose. Files that cannot be sent are named, and the rest are read. */
export async function readFiles(
  files: readonly File[],
  { bytesBefore, canSee }: { bytesBefore: number; canSee: boolean },
): Promise<ReadFiles> {
  const read: ReadFiles = { attachments: [], problems: [] };
  let bytes = bytesBefore;
  for (const file of files) {
    const problem = problemOf(file, { bytes: bytes + file.size, canSee });
    const attachment = problem === '' ? await toAttachment(file) : undefined;
    if (attachment) {
      read.attachments.push(attachment);
      bytes += file.size;
    } else read.problems.push(problem === '' ? unreadable(file) : problem);
  }
  return read;
}

function problemOf(
  { name, type, size }: File,
  { bytes, canSee }: { bytes: number; canSee: boolean },
): string {
  if (type.startsWith('image/') && !canSee) return `${name}: this model cannot see images.`;
  if (IMAGE.test(type) && size > IMAGE_BYTES_MAX)
    return `${name} has ${inMebibytes(size)}, and an image may have at most ${inMebibytes(IMAGE_BYTES_MAX)}.`;
  if (bytes > ALL_BYTES_MAX)
    return `${name}: the files of a request may have at most ${inMebibytes(ALL_BYTES_MAX)} together.`;
  return '';
}

function unreadable({ name }: File): string {
  return `${name} is neither a PNG, JPEG, WebP or GIF image, nor a PDF, nor plain text.`;
}

export function inMebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(bytes % MEBIBYTE === 0 ? 0 : 1)} MiB`;
}

async function toAttachment(file: File): Promise<Attachment | undefined> {
  const { name, type } = file;
  if (IMAGE.test(type)) return { kind: 'image', name, url: await toDataUrl(file, type) };
  if (type === 'application/pdf') return { kind: 'document', name, url: await toDataUrl(file, type) };
  // Browsers know few text types by name, so anything that decodes as text is text.
  return (await isText(file))
    ? { kind: 'document', name, url: await toDataUrl(file, 'text/plain') }
    : undefined;
}

async function isText(file: File): Promise<boolean> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text !== '' && !text.includes('\0');
  } catch {
    return false;
  }
}

function toDataUrl(file: File, type: string): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(new Blob([file], { type }));
  });
}

/** How large the files behind these URLs are. */
export function bytesOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((total, { url }) => total + Math.floor(url.length * 0.75), 0);
}
