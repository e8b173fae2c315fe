/**
 * The number and date of this catalogue. Both change when an entry changes: the number decides which of two published
 * catalogues is newer.
 */
export const edition = { serial: 1, issued: '2026-11-27' };
