import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Device } from '../../src/api/management/devices.ts';
import { Failure, isFailureCode, type FailureDetails } from '../../src/base/errors.ts';
import { entryFile } from '../../src/base/paths.ts';
import { findLlamaBuild } from '../../src/config/llama-build.ts';
import type { Context } from '../context.ts';
import { formatBytes } from '../output/format.ts';
import { renderTable, type Column } from '../output/table.ts';
import { checkDevices } from './devices.ts';

type Row = { name: string; status: string; message: string; seconds: number; speed?: number };
type Card = Device & { driver: string | null; rows: Row[] };
export type GpuCheck = {
  verdict: 'good' | 'weak' | 'broken' | 'none';
  summary: string;
  cards: Card[];
  not_checked: Device[];
};

type Line =
  | { type: 'running'; card: string; step: string }
  | { type: 'finished'; card: string; row: Row }
  | { type: 'done'; check: GpuCheck }
  | { type: 'failed'; code: string; message: string; details?: FailureDetails };

export type GpuOptions = { devices?: string[] | undefined; layers?: number | undefined };

const EXIT_BROKEN = 1;
const EXIT_NO_CARD = 5;

/** Checks the graphics cards in a separate process, which loads models on them, and prints a table. */
export async function checkGpu(context: Context, options: GpuOptions): Promise<number> {
  const { output } = context;
  const check = await runCheck(context, options);
  if (check.verdict === 'none') check.summary = await explainNone(context, check);
  output.result({ schema: 'gpu_check/1', ...check }, () => reportText(check, context));
  if (check.verdict === 'none') return EXIT_NO_CARD;
  return check.verdict === 'broken' ? EXIT_BROKEN : 0;
}

async function runCheck(context: Context, options: GpuOptions): Promise<GpuCheck> {
  const { environment, output, paths, signal } = context;
  const order = { ...options, modules: findLlamaBuild(paths.engines)?.folder };
  const entry = entryFile('daemon/diagnostics/card-check.js');
  const child = spawn(process.execPath, [entry, JSON.stringify(order)], {
    env: environment.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  let last: Line | undefined;
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      last = JSON.parse(text) as Line;
      if (last.type === 'running') output.note(`${last.card}: ${last.step}`);
    }
    await ended;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  if (last?.type === 'done') return last.check;
  if (last?.type !== 'failed')
    throw new Failure('internal_error', 'The check of the cards ended without a result.');
  const { code, message, details } = last;
  throw new Failure(isFailureCode(code) ? code : 'internal_error', message, { ...(details && { details }) });
}

/** Why there is no card, and what would help. */
async function explainNone(context: Context, { not_checked: others }: GpuCheck): Promise<string> {
  const findings = await checkDevices(context, { hashes: false, ledger: false });
  const why = findings.find(({ check }) => check === 'GPU')?.message ?? 'none';
  const [other] = others;
  const named = other
    ? ` ${other.name} is a processor that presents itself as a card and is checked only by name: askd doctor --gpu --devices ${other.index}.`
    : '';
  return (
    `The engine finds no graphics card to use: ${why}.${named} For an NVIDIA card, install its driver and CUDA 12 or 13 ` +
    '(libcudart and libcublas); for another one, libvulkan1 and its Vulkan driver, on Debian mesa-vulkan-drivers.'
  );
}

const MARKS: Readonly<Record<string, string>> = { passed: 'ok', failed: 'FAIL', skipped: '-' };

const COLUMNS: Column<Row & { card: Card }>[] = [
  { title: 'DEVICE', value: ({ card }) => String(card.index), align: 'right' },
  { title: 'CHECK', value: ({ name }) => name },
  { title: '', value: ({ status }) => MARKS[status] ?? status },
  { title: 'FOUND', value: ({ message }) => message, shrinks: true },
];

function reportText({ summary, cards, verdict }: GpuCheck, { output }: Context): string {
  if (verdict === 'none') return summary;
  const rows = cards.flatMap((card) => [cardRow(card), ...card.rows.map((row) => ({ ...row, card }))]);
  return `${renderTable(rows, COLUMNS, output)}\n\n${verdict}: ${summary}`;
}

function cardRow(card: Card) {
  const memory = `${formatBytes(card.total_bytes)}, ${formatBytes(card.free_bytes)} free`;
  const driver = card.driver === null ? '' : `, driver ${card.driver}`;
  const message = `${card.backend} ${card.name}, ${memory}${driver}`;
  return { name: 'card', status: 'passed', seconds: 0, message, card };
}
