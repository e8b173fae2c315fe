import type { Usage } from '../../../../../src/api/account/usage.ts';

const COLUMNS = [
  'requests',
  'failed_requests',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'characters',
  'seconds',
  'images',
  'credits',
] as const;
type Row = Usage['data'][number];

export function toCsv({ data }: Usage, nameOf: (row: Row) => string): string {
  const lines = data.map((row) => [row.start, cell(nameOf(row)), ...COLUMNS.map((name) => row[name])]);
  return [['start', 'name', ...COLUMNS], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** A spreadsheet would run a name that starts like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
