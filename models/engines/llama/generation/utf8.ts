/** Position inside a UTF-8 character: how many bytes are missing, and the range of the next one. */
export type Utf8State = { left: number; low: number; high: number };

export const BETWEEN: Utf8State = { left: 0, low: 0, high: 0 };

/** The state after one more byte; undefined if that byte is invalid here. */
export function nextState({ left, low, high }: Utf8State, byte: number): Utf8State | undefined {
  if (left > 0) {
    if (byte < low || byte > high) return undefined;
    return left === 1 ? BETWEEN : { left: left - 1, low: 0x80, high: 0xbf };
  }
  if (byte < 0x80) return BETWEEN;
  if (byte >= 0xc2 && byte <= 0xdf) return { left: 1, low: 0x80, high: 0xbf };
  if (byte >= 0xe0 && byte <= 0xef) {
    return { left: 2, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf };
  }
  if (byte < 0xf0 || byte > 0xf4) return undefined;
  return { left: 3, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf };
}

export function afterBytes(state: Utf8State, bytes: Uint8Array): Utf8State | undefined {
  let current: Utf8State | undefined = state;
  for (const byte of bytes) {
    if (!current) return undefined;
    current = nextState(current, byte);
  }
  return current;
}
