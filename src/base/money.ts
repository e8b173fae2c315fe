/** Inside, an amount is a whole number of nano-credits, so that nothing is lost; a credit is a US dollar. */
export const NANO_PER_CREDIT = 1_000_000_000;

/** Eight million credits: up to here a JSON number tells any two amounts apart. */
export const NANO_MAX = 8_000_000_000_000_000;

export const CURRENCY = 'usd';

/** The number that the outside sees, exact to nine places. */
export function toCredits(nano: number): number {
  return Number((nano / NANO_PER_CREDIT).toFixed(9));
}

/** By its decimal places: a product would be off by one where the numbers are large. */
export function toNano(credits: number): number {
  return Number(credits.toFixed(9).replace('.', ''));
}

/** As people read it: exact, and with two places at least. */
export function formatCredits(nano: number): string {
  const [whole, places = ''] = (nano / NANO_PER_CREDIT).toFixed(9).split('.');
  return `${whole}.${places.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** The calendar month in UTC to which a moment belongs, as `2026-11`. */
export function monthOf(epochMs: number): string {
  if (epochMs < latest.from || epochMs >= latest.until) latest = monthAround(epochMs);
  return latest.name;
}

/** Nearly every question is about the month that was asked for last. */
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
