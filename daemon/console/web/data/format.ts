const WHOLE = new Intl.NumberFormat();
const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

export function number(value: number): string {
  return WHOLE.format(value);
}

export function short(value: number): string {
  return SHORT.format(value);
}

/** Rounded down to two places, or to as many as it takes if two would show only zeros. */
export function credits(amount: number): string {
  const isSmall = amount !== 0 && Math.abs(amount) < 0.01;
  return amount.toLocaleString(undefined, {
    roundingMode: 'floor',
    ...(isSmall ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  });
}

export function bytes(value: number): string {
  return value >= GIB ? `${(value / GIB).toFixed(1)} GiB` : `${Math.round(value / MIB)} MiB`;
}

export function moment(iso: string | null): string {
  return iso === null ? 'never' : MOMENT.format(new Date(iso));
}

export function duration(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}
