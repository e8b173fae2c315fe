/** A daemon serves one account: the person or team whose machine it is. */
export const ACCOUNT_ID = 'acct_local';
