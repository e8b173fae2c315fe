const pad = (number: number, length = 2) => String(number).padStart(length, '0');
const words = (text: string) => text.split(' ');
const DAYS = words('Sunday Monday Tuesday Wednesday Thursday Friday Saturday');
const MONTHS = words('January February March April May June July August September October November December');
const dayOf = (date: Date) => DAYS[date.getDay()] ?? '';
const monthOf = (date: Date) => MONTHS[date.getMonth()] ?? '';
const DAY_MS = 86_400_000;

/** Python's C locale, whatever the language of the machine. */
const DIRECTIVES: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => pad(date.getFullYear() % 100),
  m: (date) => pad(date.getMonth() + 1),
  d: (date) => pad(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  j: (date) => pad(dayOfYear(date), 3),
  H: (date) => pad(date.getHours()),
  I: (date) => pad(date.getHours() % 12 || 12),
  M: (date) => pad(date.getMinutes()),
  S: (date) => pad(date.getSeconds()),
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  A: dayOf,
  a: (date) => dayOf(date).slice(0, 3),
  B: monthOf,
  b: (date) => monthOf(date).slice(0, 3),
  F: (date) => strftime(date, '%Y-%m-%d'),
  T: (date) => strftime(date, '%H:%M:%S'),
  '%': () => '%',
};

/** Python's strftime, as far as chat templates need it; `%-d` is a number without leading zeros. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)([a-zA-Z%])/g, (whole, dash: string, letter: string) => {
    const written = DIRECTIVES[letter]?.(date) ?? whole;
    return dash === '-' ? written.replace(/^[0 ]+(?=\d)/, '') : written;
  });
}

function dayOfYear(date: Date): number {
  const midnight = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (midnight - Date.UTC(date.getFullYear(), 0, 0)) / DAY_MS;
}
