/** What an API key may use. A key that replaces another shares the budget of the first, whose id is `budget_id`. */
export const keyBudgets = `
CREATE TABLE key_budgets(
  key_id TEXT PRIMARY KEY,
  budget_id TEXT NOT NULL,
  credits_per_month_n INTEGER CHECK(credits_per_month_n >= 0),
  tokens_per_month INTEGER CHECK(tokens_per_month > 0),
  rpm INTEGER CHECK(rpm > 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_budgets_shared ON key_budgets(budget_id);
CREATE INDEX usage_days_of_key ON usage_days(key_id, day);
`;
