/** A daemon serves one account: the person or team who owns the machine. */
export const ACCOUNT_ID = 'acct_local';
