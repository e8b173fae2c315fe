import { InvalidArgumentError, type Command } from 'commander';
import type { KeyBudget } from '../../src/api/account/keys.ts';
import { NANO_PER_CREDIT, NANO_MAX } from '../../src/base/money.ts';
import { formatMoney, perMinute } from '../output/format.ts';

type Limit = number | 'none';

export type BudgetOptions = { creditsPerMonth?: Limit; tokensPerMonth?: Limit; rpm?: Limit };

const CREDITS_MAX = NANO_MAX / NANO_PER_CREDIT;
const TOKENS_MAX = 1_000_000_000_000;
const REQUESTS_MAX = 1_000_000_000;
const MULTIPLES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };

export function addBudgetOptions(commander: Command): Command {
  return commander
    .option('--credits-per-month <amount>', 'what it may spend in a calendar month, or none', credits)
    .option('--tokens-per-month <n>', 'tokens in a calendar month, such as 250k or 1M, or none', tokens)
    .option('--rpm <n>', 'requests per minute, or none', requests);
}

export function toBudgetBody({ creditsPerMonth, tokensPerMonth, rpm }: BudgetOptions) {
  return {
    ...(creditsPerMonth !== undefined && { credits_per_month: orNull(creditsPerMonth) }),
    ...(tokensPerMonth !== undefined && { tokens_per_month: orNull(tokensPerMonth) }),
    ...(rpm !== undefined && { rpm: orNull(rpm) }),
  };
}

function orNull(limit: Limit): number | null {
  return limit === 'none' ? null : limit;
}

/** What was used this month, and the limit. */
export function creditsText({ credits_used: used, credits_per_month: limit }: KeyBudget): string {
  return limit === null ? formatMoney(used) : `${formatMoney(used)} of ${formatMoney(limit)}`;
}

export function tokensText({ tokens_used: used, tokens_per_month: limit }: KeyBudget): string {
  return limit === null ? String(used) : `${used} of ${limit}`;
}

export function rateText({ rpm }: KeyBudget): string {
  return rpm === null ? 'as the account' : perMinute(rpm);
}

const credits = orNone((text) => {
  const amount = Number(text);
  if (/^\d+(\.\d{1,9})?$/.test(text) && amount <= CREDITS_MAX) return amount;
  throw new InvalidArgumentError(`It must be an amount of credits from 0 to ${CREDITS_MAX}, or none.`);
});

const tokens = orNone((text) => {
  const [, whole, digits, unit = ''] = /^(?:(\d+)|(\d+(?:\.\d{1,3})?)([kmb]))$/i.exec(text) ?? [];
  const count = Math.round(Number(whole ?? digits) * (MULTIPLES[unit.toLowerCase()] ?? 1));
  if (count >= 1 && count <= TOKENS_MAX) return count;
  throw new InvalidArgumentError('It must be a number of tokens such as 250000, 250k or 1M, or none.');
});

const requests = orNone((text) => {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= REQUESTS_MAX) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${REQUESTS_MAX}, or none.`);
});

function orNone(parse: (text: string) => number) {
  return (text: string): Limit => (text === 'none' ? text : parse(text));
}
