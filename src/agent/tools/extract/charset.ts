const META_SEARCHED_BYTES = 2048;

/** Decodes bytes by byte order mark, HTTP header, or the page's own declaration. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const label = markOf(bytes) ?? usable(declared) ?? metaOf(bytes) ?? 'utf-8';
  if (label !== 'utf-8' && label !== 'windows-1252') return new TextDecoder(label).decode(bytes);
  // These two are often confused, and only the bytes tell them apart.
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : new TextDecoder('windows-1252').decode(bytes);
}

/** Valid multi-byte UTF-8 sequences hardly occur in any other encoding; a few broken ones do not matter. */
function isUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const broken = text.split('\ufffd').length - 1;
  return broken === 0 || broken < (text.match(/[\u0080-\ufffc]/g)?.length ?? 0);
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
