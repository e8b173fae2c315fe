import type { Keep } from '../../../src/runtime/pool.ts';
import { invalid } from '../../http/required.ts';

const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
const GO_DURATION = /^[+-]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/;

/** How long a model stays loaded: a Go duration or seconds; negative means forever. */
export function readKeepAlive(value: string | number | undefined): Keep | undefined {
  if (value === undefined || value === '') return undefined;
  const ms = toMs(value);
  if (ms === undefined)
    throw invalid(
      'keep_alive',
      `${JSON.stringify(value)} is not a duration. Use 5m, 30s, a number of seconds, 0 or -1.`,
    );
  return { isPinned: false, keepAliveMs: ms < 0 ? Infinity : ms };
}

function toMs(value: string | number): number | undefined {
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return seconds * 1000;
  const text = String(value).trim();
  if (!GO_DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(PART)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0);
  return text.startsWith('-') ? -ms : ms;
}
