const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s`, `10m`, `1h30m`, `0`, or `forever`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const wanted = text.trim();
  if (wanted === 'forever') return Infinity;
  if (wanted === '0') return 0;
  if (!/^(\d+(ms|s|m|h|d))+$/.test(wanted)) return undefined;
  const parts = [...wanted.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0);
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}
