/** Whether tokens are drafted from the preceding text and verified in batches. */
export const DRAFTING = ['off', 'prompt'] as const;
export type Drafting = (typeof DRAFTING)[number];

/** Draft tokens, and how many of them were accepted. */
export type DraftCounts = { drafted: number; accepted: number };
