/** With the root token, the account that a request is for. Without it, it is that of the owner of the daemon. */
export const ACCOUNT_HEADER = 'askd-account';
