/**
 * Requests or tokens a minute that no machine reaches. The contract has numbers in headers and answers, so where nothing
 * is limited they say this one.
 */
export const UNLIMITED_PER_MINUTE = 1_000_000_000;
