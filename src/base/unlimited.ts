/**
 * Requests or tokens per minute that no machine reaches. The contract has numbers in headers and answers, so
 * "unlimited" is this one.
 */
export const UNLIMITED_PER_MINUTE = 1_000_000_000;
