import { beginning } from './migrations/beginning.ts';
import { downloads } from './migrations/downloads.ts';

/** Every schema change, oldest first. Append only: a released entry is never edited. */
export const MIGRATIONS: readonly string[] = [beginning, downloads];
