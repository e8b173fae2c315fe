/** Whether the next tokens of an answer are guessed from what its text said before, to be checked many at a time. */
export const DRAFTING = ['off', 'prompt'] as const;
export type Drafting = (typeof DRAFTING)[number];

/** Tokens that were guessed, and how many of them the model said too. */
export type DraftCounts = { drafted: number; accepted: number };
