import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeScriptedModel } from '../../fixtures/scripted-model.ts';
import { percentile, reportLines, type Figure } from '../accounts/report.ts';
import { keepBusy } from './busy.ts';
import { openDashboard } from './dashboard.ts';
import { startAskd, type Askd } from '../overhead/askd.ts';

/** From a key to the frame that shows what it did, on a real pseudo-terminal, while the daemon serves chats. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const keysPerScreen = options.quick ? 60 : 300;

/** From dist/scripts/bench/cli, where this file runs. */
const ASKD = fileURLToPath(new URL('../../../../bin/askd.js', import.meta.url));
const SIZE = { columns: 120, rows: 40 };
/** The events of a chat: that it started, that it ended, and its line in the log. */
const EVENTS_PER_CHAT = 3;
const EVENTS_PER_SECOND = 60;
const LISTED_KEYS = 8;
const LETTERS = 'the quick brown fox jumps over the lazy dog';
const SCREENS = ['Chat', 'Overview', 'Models', 'Keys', 'Wallet', 'Webhooks', 'Agent', 'Logs'];
/** The time between two keys of a fast typist. */
const GAP_MS = { least: 40, most: 160 };
const GOAL = { atMost: 30 };

type Key = readonly [key: string, shows: RegExp];

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-tui-'));
const figures: Figure[] = [];
const began = loadavg()[0] ?? 0;
try {
  await using askd = await startAskd({ NO_COLOR: '' });
  await prepare(askd);
  await using busy = await keepBusy(askd, EVENTS_PER_SECOND / EVENTS_PER_CHAT);
  const command: Key = [':', /:█/];
  const all: number[] = [];
  for (const part of [
    { label: 'typing a message', screen: 'chat', before: ['i', /> █/] as Key, keys: typed() },
    { label: 'typing a command, events above it', screen: 'overview', before: command, keys: typed() },
    { label: 'typing a command, the log above it', screen: 'logs', before: command, keys: typed() },
    { label: 'moving through a list', screen: 'keys', before: ['j', /▸ \S/] as Key, keys: moves() },
    { label: 'going to another screen', screen: 'logs', keys: screens() },
  ])
    all.push(...(await pressing(askd, part)));
  report('all keys', all);
  add({ label: 'events meanwhile', unit: '/s', value: EVENTS_PER_CHAT * busy.chatsPerSecond() });
} finally {
  await rm(folder, { recursive: true, force: true });
}
const load = `${availableParallelism()} cores, load ${began.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`;
console.log(options.json ? JSON.stringify({ figures, load }, null, 2) : load);

/** Printed as soon as it is known. */
function add(figure: Figure): void {
  figures.push(figure);
  if (!options.json) console.log(reportLines([figure]).join('\n'));
}

async function prepare(askd: Askd): Promise<void> {
  const file = path.join(folder, 'short.gguf');
  await writeScriptedModel(file, { text: 'A short answer.' });
  await askd.run('import', file, '--id', 'short');
  await askd.run('bind', 'svc-chat-v1', 'short');
  for (let number = 1; number <= LISTED_KEYS; number++)
    await askd.run('keys', 'create', '--name', `key-${number}`);
}

async function pressing(
  { home }: Askd,
  { label, screen, before, keys }: { label: string; screen: string; before?: Key; keys: readonly Key[] },
): Promise<number[]> {
  const env = { ASKD_HOME: home, ASKD_PORT: '0', NO_COLOR: '' };
  const dashboard = await openDashboard({ askd: ASKD, args: `--screen ${screen}`, size: SIZE, env, folder });
  if (before) await dashboard.timeOfKey(...before);
  const times: number[] = [];
  for (let pressed = 0; pressed < keysPerScreen; pressed++) {
    await sleep(GAP_MS.least + Math.random() * (GAP_MS.most - GAP_MS.least));
    const [key, shows] = keys[pressed % keys.length] as Key;
    times.push(await dashboard.timeOfKey(key, shows));
  }
  dashboard.end();
  report(label, times);
  return times;
}

/** A line is typed letter by letter, and erased in the same way. */
function typed(): Key[] {
  const shows = (length: number) => new RegExp(`${length === 0 ? '[>:] ?' : LETTERS.slice(0, length)}█`);
  const there = Array.from(LETTERS, (letter, index): Key => [letter, shows(index + 1)]);
  const back = Array.from(LETTERS, (_, index): Key => ['\u007f', shows(LETTERS.length - index - 1)]);
  return [...there, ...back];
}

/** Down and up again. The marked row says that it has moved. */
function moves(): Key[] {
  const step = (key: string) => Array.from({ length: LISTED_KEYS - 1 }, (): Key => [key, /▸ \S/]);
  return [...step('j'), ...step('k')];
}

function screens(): Key[] {
  return SCREENS.map((title, index) => [String(index + 1), new RegExp(`\\[${index + 1} ${title}\\]`)]);
}

function report(label: string, times: readonly number[]): void {
  add({ label: `${label}, median`, unit: 'ms', value: percentile(times, 0.5) });
  add({ label: `${label}, p99`, unit: 'ms', value: percentile(times, 0.99), goal: GOAL });
}
