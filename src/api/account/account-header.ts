/** The account that a request with the root token is for. Without the header, the account of the daemon's owner. */
export const ACCOUNT_HEADER = 'askd-account';
