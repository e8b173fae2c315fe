/**
 * More requests or tokens per minute than any machine reaches. Headers and answers of the contract need a number, so
 * this one means "unlimited".
 */
export const UNLIMITED_PER_MINUTE = 1_000_000_000;
