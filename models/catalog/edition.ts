/**
 * The number and date of this catalogue. Both are raised when an entry changes: published catalogues are newer or older
 * by their number.
 */
export const edition = { serial: 1, issued: '2026-11-27' };
