import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { percentile, reportLines, type Figure } from './accounts/report.ts';
import { openDashboard } from './cli/dashboard.ts';
import { openEventSource, type EventSource } from './cli/event-source.ts';
import { measureStarts } from './cli/starts.ts';

const run = promisify(execFile);

/** From dist/scripts/bench, where this file runs. */
const ASKD = fileURLToPath(new URL('../../../bin/askd.js', import.meta.url));
const SIZE = { columns: 120, rows: 40 };
const EVENTS_PER_SECOND = 60;
/** An hour of events, 216,000 of them, in a minute. */
const FASTER = 60;
const SCREENS = ['overview', 'logs', 'agent'] as const;

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const rounds = options.quick ? 3 : 9;
const seconds = options.quick ? 8 : 20;

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-cli-'));
const env: Record<string, string> = { ASKD_HOME: folder, ASKD_PORT: '0', NO_COLOR: '' };
const figures: Figure[] = [];
const began = loadavg()[0] ?? 0;
try {
  await askd('up');
  for (const figure of await measureStarts({ askd: ASKD, env, rounds })) add(figure);
  await firstFrames();
  const source = await openEventSource();
  for (const screen of SCREENS) await streaming(screen, source);
  await hour(source);
  source.close();
  if (options.json) console.log(JSON.stringify({ figures }, null, 2));
  else
    console.log(
      `${availableParallelism()} cores, load ${began.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`,
    );
} finally {
  await askd('down');
  await rm(folder, { recursive: true, force: true });
}

/** Printed as soon as it is known. */
function add(figure: Figure): void {
  figures.push(figure);
  if (!options.json) console.log(reportLines([figure]).join('\n'));
}

async function askd(...args: string[]): Promise<void> {
  await run(process.execPath, [ASKD, ...args], { env: { ...process.env, ...env } });
}

async function firstFrames(): Promise<void> {
  const first: number[] = [];
  const durations: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const dashboard = await openDashboard({ askd: ASKD, args: '', size: SIZE, env, folder });
    first.push(dashboard.firstFrameMs);
    durations.push(dashboard.firstStatusMs);
    await dashboard.leave();
  }
  add({
    label: 'askd tui, first frame, median',
    unit: 'ms',
    value: percentile(first, 0.5),
    goal: { atMost: 900 },
  });
  add({
    label: 'askd tui, first frame that knows the daemon, median',
    unit: 'ms',
    value: percentile(durations, 0.5),
  });
}

async function streaming(screen: (typeof SCREENS)[number], source: EventSource): Promise<void> {
  const args = `--screen ${screen} --host ${source.url}`;
  const dashboard = await openDashboard({ askd: ASKD, args, size: SIZE, env, folder });
  await source.pour(EVENTS_PER_SECOND, 3);
  const seen = await dashboard.during(() => source.pour(EVENTS_PER_SECOND, seconds));
  await dashboard.leave();
  const at = (what: string) => `${screen} at ${EVENTS_PER_SECOND} events a second, ${what}`;
  add({ label: at('of one core'), unit: '%', value: seen.processorShare * 100, goal: { atMost: 15 } });
  add({ label: at('to the terminal'), unit: 'KB/s', value: seen.bytesPerSecond / 1000, goal: { atMost: 5 } });
  add({ label: at('full redraws'), unit: 'n', value: seen.redraws, goal: { atMost: 0 } });
}

async function hour(source: EventSource): Promise<void> {
  const args = `--screen logs --host ${source.url}`;
  const dashboard = await openDashboard({ askd: ASKD, args, size: SIZE, env, folder });
  await source.pour(FASTER * EVENTS_PER_SECOND, (options.quick ? 900 : 3600) / FASTER);
  await source.mark('the hour is over');
  await dashboard.shows(/the hour is over/);
  const { now, most } = await dashboard.memory();
  await dashboard.leave();
  add({
    label: 'memory after an hour of events, 60 times as fast',
    unit: 'MB',
    value: now,
    goal: { atMost: 150 },
  });
  add({ label: 'the most that it was', unit: 'MB', value: most, goal: { atMost: 150 } });
}
