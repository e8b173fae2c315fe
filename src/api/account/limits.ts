/** Limits of the contract. In their own file, so that programs can use them without loading the schemas. */
export const IMAGE_PROMPT_CHARACTERS_MAX = 4000;
export const EMBEDDING_INPUTS_MAX = 100;
export const MODERATION_INPUTS_MAX = 100;
export const RERANK_DOCUMENTS_MAX = 1000;
export const TRANSACTIONS_PER_PAGE_MAX = 1000;
export const IMAGE_SIZES = [
  ...['1024x1024', '1792x1024', '1024x1792'],
  ...['1536x1024', '1024x1536', '512x512', '256x256'],
] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];
export const IMAGE_STEPS_MAX = 100;
export const IMAGE_SEED_MAX = 2 ** 32 - 1;
export const AGENT_CYCLES_MAX = 8;
