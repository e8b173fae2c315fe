import type { Pull } from '../../../src/api/management/library.ts';
import { formatBytes, formatDuration } from '../../output/format.ts';
import { displayWidth } from '../../output/display-width.ts';

const BAR_MAX = 30;
const BAR_MIN = 6;
const NAME_MAX = 28;
const FILES_SHOWN_MAX = 6;

type Amount = { name: string; done: number; total: number; tail: string };

/** The progress on a terminal: a line for each active file, and a total if there are several. */
export function progressLines(pull: Pull, width: number, nowMs: number): string[] {
  const { files } = pull;
  const total: Amount = {
    name: files.length === 1 ? baseName(files[0]?.path ?? '') : `all ${files.length} files`,
    done: shownBytes(pull),
    total: pull.bytes_total,
    tail: tailOf(pull, nowMs),
  };
  if (files.length === 1) return [line(total, width)];
  const open = files.filter((file) => file.received < file.bytes).slice(0, FILES_SHOWN_MAX);
  const lines = open.map(({ path, received, bytes }) =>
    line({ name: baseName(path), done: received, total: bytes, tail: '' }, width),
  );
  return [...lines, line(total, width)];
}

/** While hashing catches up nothing is received, so the hashed bytes are shown. */
function shownBytes({
  bytes_received: received,
  bytes_verified: verified,
  bytes_total: total,
}: Pull): number {
  return received < total ? received : verified;
}

function tailOf(pull: Pull, nowMs: number): string {
  const { waiting, state, bytes_received: received, bytes_total: total } = pull;
  if (state === 'queued') return 'waiting for another download';
  if (state === 'paused') return 'paused';
  if (waiting) return `retrying in ${formatDuration(Date.parse(waiting.until) - nowMs)}: ${waiting.reason}`;
  if (received >= total && state === 'downloading') return 'verifying';
  return [rateOf(pull), etaOf(pull)].filter(Boolean).join('  ');
}

export function rateOf({ bytes_per_second: rate }: Pull): string {
  return rate === null ? '' : `${formatBytes(rate)}/s`;
}

export function etaOf({ eta_seconds: eta }: Pull): string {
  return eta === null || !Number.isFinite(eta) ? '' : `${formatDuration(eta * 1000)} left`;
}

export function percentOf(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((done / total) * 100);
}

function line({ name, done, total, tail }: Amount, width: number): string {
  const label = shorten(name, NAME_MAX);
  const percent = `${percentOf(done, total)}%`.padStart(4);
  const amounts = `${formatBytes(done)} of ${formatBytes(total)}`;
  const fixed = displayWidth(label) + percent.length + amounts.length + tail.length + 10;
  const bar = Math.min(BAR_MAX, width - fixed);
  const parts = [label, ...(bar >= BAR_MIN ? [drawBar(done, total, bar)] : []), percent, amounts, tail];
  return parts.filter(Boolean).join('  ').slice(0, width);
}

function drawBar(done: number, total: number, width: number): string {
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  return `[${'='.repeat(filled)}${' '.repeat(width - filled)}]`;
}

/** The end of a file name is more informative than its middle. */
function shorten(name: string, width: number): string {
  if (name.length <= width) return name;
  const head = Math.ceil((width - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (width - 1 - head))}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
