/** Amounts are whole nano-credits, so that arithmetic is exact. A credit is a US dollar. */
export const NANO_PER_CREDIT = 1_000_000_000;

/** Eight million credits: up to here, a JSON number distinguishes any two amounts. */
export const NANO_MAX = 8_000_000_000_000_000;

export const CURRENCY = 'usd';

/** The number in answers, exact to nine decimal places. */
export function toCredits(nano: number): number {
  return Number((nano / NANO_PER_CREDIT).toFixed(9));
}

/** Via the decimal representation, since multiplying would be off by one for large numbers. */
export function toNano(credits: number): number {
  return Number(credits.toFixed(9).replace('.', ''));
}

/** For people: exact, with at least two decimal places. */
export function formatCredits(nano: number): string {
  const [whole, places = ''] = (nano / NANO_PER_CREDIT).toFixed(9).split('.');
  return `${whole}.${places.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** The calendar month in UTC, as `2026-11`. */
export function monthOf(epochMs: number): string {
  if (epochMs < latest.from || epochMs >= latest.until) latest = monthAround(epochMs);
  return latest.name;
}

/** Cached: nearly all calls ask for the same month. */
let latest = monthAround(0);

function monthAround(epochMs: number) {
  const date = new Date(epochMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    name: date.toISOString().slice(0, 7),
    from: Date.UTC(year, month),
    until: Date.UTC(year, month + 1),
  };
}
