/** Numbers of the contract. On their own here, so that a program can know them without loading the schemas. */
export const IMAGE_PROMPT_CHARACTERS_MAX = 4000;
export const EMBEDDING_INPUTS_MAX = 100;
export const MODERATION_INPUTS_MAX = 100;
export const RERANK_DOCUMENTS_MAX = 1000;
export const TRANSACTIONS_PER_PAGE_MAX = 1000;
