/**
 * Who set the budget of a key, since keys that a member creates later share what an owner set. And which person the
 * OpenID provider meant by a member's address at their first login, since an address can be given to somebody else.
 */
export const memberLimits = `
ALTER TABLE key_budgets ADD COLUMN by_owner INTEGER NOT NULL DEFAULT 0 CHECK(by_owner IN (0, 1));
UPDATE key_budgets SET by_owner = 1 WHERE key_id IN (SELECT id FROM api_keys WHERE member_id IS NOT NULL);
ALTER TABLE members ADD COLUMN login_issuer TEXT;
ALTER TABLE members ADD COLUMN login_subject TEXT;
`;
