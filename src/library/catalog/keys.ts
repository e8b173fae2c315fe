/**
 * The ed25519 public keys, as base64, whose signatures askd accepts on a catalogue. While a key is being replaced,
 * the next one is listed beside it: see "The signed catalogue" in docs/internals.
 */
export const CATALOG_KEYS: readonly string[] = ['bMMZsC75ijW+l4V9TjYrZ1b7eIJ3480u9zDFFl5lAQQ='];
