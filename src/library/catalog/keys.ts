/**
 * The ed25519 public keys, as base64, whose signature makes a catalogue one of askd. While a key is replaced, the next
 * one stands here beside it: see "The signed catalogue" in docs/internals.
 */
export const CATALOG_KEYS: readonly string[] = ['bMMZsC75ijW+l4V9TjYrZ1b7eIJ3480u9zDFFl5lAQQ='];
