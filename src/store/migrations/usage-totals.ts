/**
 * Totals of `usage` per UTC hour and day, updated by triggers in the transaction of each request. A report over a
 * year reads days, and hours only at its ends.
 */
export const usageTotals = `${totals('usage_hours', 'hour', 3_600_000)}${totals('usage_days', 'day', 86_400_000)}`;

function totals(table: string, unit: string, unitMs: number): string {
  return `
CREATE TABLE ${table}(
  account_id TEXT NOT NULL,
  ${unit} INTEGER NOT NULL,
  model TEXT NOT NULL,
  task TEXT NOT NULL,
  key_id TEXT NOT NULL,
  requests INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  seconds REAL NOT NULL,
  images INTEGER NOT NULL,
  cost_n INTEGER NOT NULL,
  PRIMARY KEY(account_id, ${unit}, model, task, key_id)
) STRICT, WITHOUT ROWID;

INSERT INTO ${table}
SELECT account_id, started_at / ${unitMs}, model, task, coalesce(key_id, ''), count(*), sum(outcome = 'failed'),
  sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), sum(characters), sum(seconds), sum(images), sum(cost_n)
FROM usage GROUP BY 1, 2, 3, 4, 5;

CREATE TRIGGER ${table}_add AFTER INSERT ON usage BEGIN
  INSERT INTO ${table} VALUES(NEW.account_id, NEW.started_at / ${unitMs}, NEW.model, NEW.task,
    coalesce(NEW.key_id, ''), 1, NEW.outcome = 'failed', NEW.prompt_tokens, NEW.cached_tokens, NEW.completion_tokens,
    NEW.characters, NEW.seconds, NEW.images, NEW.cost_n)
  ON CONFLICT DO UPDATE SET requests = requests + 1, failed = failed + excluded.failed,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens, characters = characters + excluded.characters,
    seconds = seconds + excluded.seconds, images = images + excluded.images, cost_n = cost_n + excluded.cost_n;
END;
`;
}
