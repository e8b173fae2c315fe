import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS_MAX = 15 * 60_000;
const POLL_MS = 200;
/** An owner creates the folder before it writes its pid there, so a lock without a pid is not necessarily dead. */
const NAMELESS_MS_MAX = 2_000;

/** Runs the work while no other process of this clone does: two setups at once would mix up their files. */
export async function withSetupLock(path, work) {
  await acquire(path);
  try {
    return await work();
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

async function acquire(path) {
  const startedAt = Date.now();
  let namelessSince;
  let announced;
  while (!take(path)) {
    const owner = ownerOf(path);
    namelessSince = owner === undefined ? (namelessSince ?? Date.now()) : undefined;
    if (isDead(owner, namelessSince)) {
      clear(path, owner);
      continue;
    }
    if (Date.now() - startedAt > WAIT_MS_MAX) {
      throw new Error(`Process ${owner} has held the setup for a long time. If it hangs: rm -r ${path}`);
    }
    if (owner !== announced) console.log(`Waiting for process ${owner}, which sets up this clone too.`);
    announced = owner;
    await sleep(POLL_MS);
  }
}

function take(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(path, 'pid'), String(process.pid));
  return true;
}

function ownerOf(path) {
  try {
    return Number(readFileSync(join(path, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isDead(owner, namelessSince) {
  if (owner === undefined) return Date.now() - namelessSince > NAMELESS_MS_MAX;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Moves the lock aside before deleting it: if two processes find its owner dead, only one can. */
function clear(path, deadOwner) {
  const aside = `${path}-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (ownerOf(aside) === deadOwner) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, path);
}
