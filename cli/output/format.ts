import { formatBytes as format } from '../../src/base/units.ts';
import { formatCredits, toNano } from '../../src/base/money.ts';
import { UNLIMITED_PER_MINUTE } from '../../src/base/unlimited.ts';

export function formatBytes(bytes: number | null): string {
  return bytes === null ? '-' : format(bytes);
}

/** Credits as the server sends them. */
export function formatMoney(credits: number): string {
  return formatCredits(toNano(credits));
}

/**
 * Rounded down to what matters: two decimal places, and below one credit as many as it takes to show two digits.
 * Nobody is shown more than there is. Records and `--json` have the exact amount.
 */
export function formatAmount(credits: number): string {
  const nano = toNano(credits);
  const digits = String(Math.abs(nano)).length;
  const step = 10 ** Math.max(0, Math.min(7, digits - 2));
  return formatCredits(Math.floor(nano / step) * step + 0);
}

/** The two largest units: `3h 12m`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first === -1) return '0s';
  const shown = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return shown.map(([amount, unit]) => `${amount}${unit}`).join(' ');
}

export function formatSince(iso: string | null, nowMs: number): string {
  return iso === null ? '-' : `${formatDuration(nowMs - Date.parse(iso))} ago`;
}

export function formatTokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`;
}

export function formatCount(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** A limit of the tier. */
export function perMinute(limit: number): string {
  return limit >= UNLIMITED_PER_MINUTE ? 'unlimited' : `${limit} a minute`;
}

export function orDash(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? '-' : String(value);
}

/** The memory of the context as a field; for a model without one, that of its buffers. */
export function contextField({
  context_bytes: bytes,
  context_tokens: tokens,
  slots,
}: {
  context_bytes: number;
  context_tokens: number | null;
  slots: number;
}): [name: string, value: string][] {
  if (tokens !== null) return [['context', `${formatBytes(bytes)} (${slots} requests of ${tokens} tokens)`]];
  return bytes === 0 ? [] : [['buffers', formatBytes(bytes)]];
}

const WITHOUT_CONTEXT = ['transcribe', 'speak', 'draw'];

/** In tokens; empty for audio and image models, for which it does not matter. */
export function contextOf(artifact: { tasks: readonly string[]; context_tokens_max: number }) {
  const isWithout = artifact.tasks.every((task) => WITHOUT_CONTEXT.includes(task));
  return isWithout ? undefined : artifact.context_tokens_max;
}
