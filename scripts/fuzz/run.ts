import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caseOf } from './cases.ts';
import { startDaemon, type Daemon, type Reply } from './daemon.ts';
import type { Format } from './format.ts';
import { emptyTally, save, type Outcome, type Tally } from './tally.ts';

export type Run = {
  format: Format;
  seed: string | number;
  /** The cases of this seed, by number. */
  from: number;
  count: number;
  /** After this time, the remaining cases are skipped. */
  msMax?: number;
  /** Anything that takes longer is a finding. */
  caseMsMax?: number;
  /** Where inputs that failed are stored. */
  keep: string;
  /** Concurrent processes, for formats that are parsed without a daemon: one per core if absent. */
  lanes?: number;
};

const CASE_MS_MAX = 30_000;
const DAEMON_BYTES_MAX = 768 * 1024 ** 2;
const RUNNER_BYTES_MAX = 3 * 1024 ** 3;
/** Between two memory readings. */
const LOOK_EVERY = 25;

/** Sends mutated files to a daemon of their own. */
export async function fuzz(run: Run): Promise<Tally> {
  const { format, seed, from, count, keep, msMax = Infinity, caseMsMax = CASE_MS_MAX } = run;
  const folder = mkdtempSync(join(tmpdir(), 'askd-fuzz-files-'));
  const tally = emptyTally();
  try {
    await using daemon = await startDaemon();
    const [seeds, send] = [await format.seeds(), await format.open({ daemon, folder })];
    const endsAt = performance.now() + msMax;
    let next = from;
    async function lane(): Promise<void> {
      while (next < from + count && performance.now() < endsAt && !daemon.hasEnded()) {
        const index = next++;
        const file = caseOf({ format, seed, index, seeds });
        const what = await countReply(tally, caseMsMax, () => send(file));
        if (index % LOOK_EVERY === 0 || index === from + count - 1) await look(tally, daemon);
        const reason = daemon.hasEnded() ? 'the daemon ended' : (what ?? overMemory(tally));
        if (reason === undefined) continue;
        const kept = save(keep, `${format.name}-${seed}-${index}`, file);
        tally.findings.push({ index, what: reason, file: kept });
      }
    }
    await Promise.all(Array.from({ length: format.lanes ?? 1 }, lane));
    return tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts the reply, and returns what is wrong with it. */
async function countReply(
  tally: Tally,
  msMax: number,
  send: () => Promise<Reply>,
): Promise<string | undefined> {
  const startedAt = performance.now();
  const reply = await send().catch((error: unknown) => String(error));
  const ms = performance.now() - startedAt;
  tally.slowestMs = Math.max(tally.slowestMs, ms);
  const outcome = outcomeOf(reply);
  tally[outcome] += 1;
  if (typeof reply === 'string') return reply;
  if (outcome === 'failed') return `${reply.status} ${reply.text.slice(0, 300)}`;
  return ms > msMax ? `it took ${Math.round(ms / 1000)} s` : undefined;
}

/** A crash in native code costs only its runner, so it is counted but is not a failure. */
function outcomeOf(reply: Reply | string): Outcome {
  if (typeof reply === 'string') return 'failed';
  if (reply.code === 'runner_crashed') return 'crashed';
  if (reply.status < 400) return 'answered';
  if (reply.code === 'not_json' || reply.code === 'internal_error' || reply.code === '') return 'failed';
  return 'refused';
}

async function look(tally: Tally, daemon: Daemon): Promise<void> {
  if (daemon.hasEnded()) return;
  tally.daemonBytes = Math.max(tally.daemonBytes, daemon.memoryBytes());
  tally.runnerBytes = Math.max(tally.runnerBytes, await daemon.runnerBytes());
}

function overMemory({ daemonBytes, runnerBytes }: Tally): string | undefined {
  if (daemonBytes > DAEMON_BYTES_MAX) return `the daemon takes ${Math.round(daemonBytes / 1e6)} MB`;
  if (runnerBytes > RUNNER_BYTES_MAX) return `a runner takes ${Math.round(runnerBytes / 1e6)} MB`;
  return undefined;
}
