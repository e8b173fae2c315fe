const META_SEARCHED_BYTES = 2048;

/** The text of bytes, by the mark at their beginning, what the server says, and what the page says itself. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const label = markOf(bytes) ?? usable(declared) ?? metaOf(bytes);
  if (label !== undefined && label !== 'utf-8') return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not what it claims to be, or nothing was claimed: every byte means something in this one.
    return new TextDecoder(label === undefined ? 'windows-1252' : 'utf-8').decode(bytes);
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function metaOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, META_SEARCHED_BYTES)).toString('latin1');
  return usable(/<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]);
}

function usable(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label.trim().replace(/^["']|["']$/g, '')).encoding;
  } catch {
    return undefined;
  }
}
