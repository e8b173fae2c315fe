/** For rows with an `account_id`: work of a suspended account waits until it is resumed. */
export const NOT_SUSPENDED = 'account_id NOT IN (SELECT id FROM accounts WHERE suspended_at IS NOT NULL)';
