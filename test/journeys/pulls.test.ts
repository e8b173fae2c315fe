import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { expect, test } from 'vitest';
import { sha256 } from '../../scripts/hub/hub.ts';
import type { Pull } from '../../src/api/management/library.ts';
import { openParts, type Part } from '../../src/library/download/parts.ts';
import { binFile } from '../../src/base/paths.ts';
import { isAlive } from '../../src/base/presence.ts';
import { startHub } from '../helpers/servers/hub.ts';
import { install } from '../helpers/daemon/installation.ts';
import { scriptedModel } from '../helpers/models/models.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const REPO = 'someone/big-GGUF';
const BYTES = 200_000_000;
const PART_BYTES = 16 * 1024 * 1024;
const KILLS = 20;
const HELD_BYTES = 512 * 1024;

/** A model that the engine would accept, followed by noise that makes it as large as a real one. */
async function bigModel(): Promise<Buffer> {
  const content = Buffer.alloc(BYTES);
  randomFillSync(content);
  readFileSync((await scriptedModel('Still here.')).path).copy(content);
  return content;
}

test('a pull of 200 MB survives twenty deaths of its daemon, and no verified part is fetched twice', async () => {
  const hub = await startHub({ bytesPerSecond: 25_000_000 });
  const content = await bigModel();
  hub.add(REPO, { 'big-Q4_K_M.gguf': content });
  const cache = temporaryFolder();
  const { askd, daemonPid } = install({
    ...hub.environment(cache),
    ASKD_DOWNLOAD_PART_BYTES: String(PART_BYTES),
    ASKD_DOWNLOAD_RETRY_MS: '20',
  });
  await askd(['pull', `hf:${REPO}`, '--background']);
  const pulls = async () => (await askd(['pull', '--list', '--json'])).json<{ pulls: Pull[] }>().pulls;
  const journal = join(cache, 'models--someone--big-GGUF', 'blobs', `${sha256(content)}.askd.parts`);
  const sent = () => hub.served.reduce((sum, { start, end }) => sum + end - start, 0);
  const recorded: { requestsBefore: number; parts: readonly Part[] }[] = [];

  for (let killed = 0; killed < KILLS; killed++) {
    // Some time between the daemon's start and the next twentieth of the file.
    const goal = sent() + Math.random() * (BYTES / (KILLS + 4));
    // No more than that, so that even a machine that is slow to kill finds it unfinished.
    hub.holdAfter(goal + HELD_BYTES);
    await expect.poll(sent, { timeout: 60_000, interval: 5 }).toBeGreaterThan(goal);
    const pid = daemonPid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
    const { parts } = openParts(journal, { bytes: BYTES, partBytes: PART_BYTES });
    hub.holdAfter(sent());
    recorded.push({ requestsBefore: hub.served.length, parts });
    expect((await pulls()).map(({ state }) => state)).toEqual(['downloading']);
  }

  hub.holdAfter(Infinity);
  const last = await askd(['pull', `hf:${REPO}`, '--json']);
  expect([last.exitCode, last.stderr]).toMatchObject([0, expect.any(String)]);
  const link = join(cache, 'models--someone--big-GGUF', 'snapshots', hub.commit, 'big-Q4_K_M.gguf');
  expect(sha256(readFileSync(link))).toBe(sha256(content));
  const twice = recorded.flatMap(({ requestsBefore, parts }) =>
    hub.served.slice(requestsBefore).filter((range) => parts.some((part) => overlap(part, range))),
  );
  expect(twice).toEqual([]);
  // What was in flight when the daemon died is sent again: at most one part for each death.
  expect(sent() - BYTES).toBeLessThanOrEqual(KILLS * PART_BYTES);
}, 300_000);

function overlap({ start, received }: Part, range: { start: number; end: number }): boolean {
  return range.start < start + received && start < range.end;
}

test('a paused download stays paused when its daemon dies, and is resumed where it stopped', async () => {
  const hub = await startHub();
  const content = (await bigModel()).subarray(0, 40_000_000);
  hub.add(REPO, { 'big-Q4_K_M.gguf': content });
  hub.holdAfter(20_000_000);
  const { askd, daemonPid } = install({
    ...hub.environment(temporaryFolder()),
    ASKD_DOWNLOAD_PART_BYTES: '1048576',
  });
  const newest = async () => (await askd(['pull', '--list', '--json'])).json<{ pulls: Pull[] }>().pulls[0];
  await askd(['pull', `hf:${REPO}`, '--background']);
  await expect
    .poll(async () => (await newest())?.bytes_received, { timeout: 60_000 })
    .toBeGreaterThan(15_000_000);
  const paused = (await askd(['pull', '--pause', `hf:${REPO}`, '--json'])).json<Pull>();
  const pid = daemonPid();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  hub.holdAfter(Infinity);
  const before = hub.served.length;

  expect(await newest()).toMatchObject({ state: 'paused', bytes_received: paused.bytes_received });
  expect(hub.served).toHaveLength(before);
  expect((await askd(['pull', '--resume', `hf:${REPO}`])).exitCode).toBe(0);
  const done = await askd(['pull', `hf:${REPO}`, '--json']);
  expect(done.exitCode, done.stdout).toBe(0);
  const sent = hub.served.slice(before).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(sent).toBe(content.length - paused.bytes_received);
}, 240_000);

test('two daemons never share a home', async () => {
  const { askd, environment, home } = install();
  await askd(['up']);
  const second = await execa(process.execPath, [binFile('askd-daemon.js')], {
    env: environment,
    reject: false,
  });
  expect([second.exitCode, second.stderr]).toEqual([
    10,
    expect.stringContaining(`is already running for ${home}`),
  ]);
  expect((await askd(['status', '--json'])).json()).toMatchObject({ running: true });
});

const mayMount = execaSync('unshare', ['-rm', 'true'], { reject: false }).exitCode === 0;

test.runIf(mayMount)('a full disk is reported, and with room again the download continues', async () => {
  const hub = await startHub({ bytesPerSecond: 3_000_000 });
  const content = (await bigModel()).subarray(0, 24_000_000);
  hub.add(REPO, { 'big-Q4_K_M.gguf': content });
  const mount = temporaryFolder();
  const { environment } = install({ ...hub.environment(join(mount, 'cache')), MOUNT: mount });
  const script = `
    mount -t tmpfs -o size=300m none "$MOUNT" || exit 99
    askd() { "$NODE" "$ASKD" "$@" --quiet; }
    askd pull hf:${REPO} --background >/dev/null
    head -c 400000000 /dev/zero > "$MOUNT/ballast" 2>/dev/null
    until askd pull --list --json | grep -q '"code"'; do sleep 0.2; done
    askd pull --list --json | grep '"code"'
    askd pull hf:${REPO} >/dev/null 2>&1; echo "exit $?"
    rm "$MOUNT/ballast"
    askd pull hf:${REPO} >/dev/null; echo "exit $?"
    sha256sum "$MOUNT"/cache/models--someone--big-GGUF/snapshots/*/big-Q4_K_M.gguf | cut -c1-64
    askd down >/dev/null`;
  const env = { ...environment, NODE: process.execPath, ASKD: binFile('askd.js') };
  const { stdout } = await execa('unshare', ['-rm', 'sh', '-c', script], { env, reject: false });
  const lines = stdout.split('\n').map((line) => line.trim());
  expect(lines).toEqual(['"code": "disk_full",', 'exit 1', 'exit 0', sha256(content)]);
});

test.runIf(mayMount)('a disk with no room for one more file is a full disk too', async () => {
  const hub = await startHub();
  hub.add(REPO, { 'big-Q4_K_M.gguf': (await bigModel()).subarray(0, 24_000_000) });
  const mount = temporaryFolder();
  const { environment } = install({ ...hub.environment(join(mount, 'cache')), MOUNT: mount });
  // Names run out long before bytes do: first when the plan creates the cache, then when the download creates its
  // files.
  const script = `
    mount -t tmpfs -o size=300m,nr_inodes=40 none "$MOUNT" || exit 99
    askd() { "$NODE" "$ASKD" "$@" --quiet; }
    fill() { until ! touch "$MOUNT/$1.$i" 2>/dev/null; do i=$((i + 1)); done; }
    fill a
    askd pull hf:${REPO} --json 2>&1 | grep -o 'disk is full'
    rm -r "$MOUNT"/a.* && mkdir -p "$MOUNT/cache" && fill b
    askd pull hf:${REPO} --json 2>&1 | grep -o 'disk is full'
    askd down >/dev/null`;
  const env = { ...environment, NODE: process.execPath, ASKD: binFile('askd.js') };
  const { stdout } = await execa('unshare', ['-rm', 'sh', '-c', script], { env, reject: false });
  expect(stdout.split('\n')).toEqual(['disk is full', 'disk is full', 'disk is full']);
});
