import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARCHIVES } from './archives.ts';
import { startDaemon, type Daemon, type Reply } from './daemon.ts';
import type { Format } from './format.ts';
import { MEDIA } from './media.ts';
import { MODELS } from './models.ts';
import { SCHEMAS } from './schemas.ts';
import { createRandom } from './random.ts';

export const FORMATS: readonly Format[] = [...MODELS, ...MEDIA, ...ARCHIVES, ...SCHEMAS];

export type Run = {
  format: Format;
  seed: string | number;
  /** The cases of this seed, by their numbers. */
  from: number;
  count: number;
  /** After so long, what is left is left out. */
  msMax?: number;
  /** What takes longer is a finding. */
  caseMsMax?: number;
  /** Where inputs that failed are kept. */
  keep: string;
  onCase?: (done: number) => void;
};

export type Outcome = 'answered' | 'refused' | 'crashed' | 'failed';
export type Finding = { index: number; what: string; file: string };
export type Tally = Record<Outcome, number> & {
  findings: Finding[];
  slowestMs: number;
  daemonBytes: number;
  runnerBytes: number;
};

const CASE_MS_MAX = 30_000;
const DAEMON_BYTES_MAX = 768 * 1024 ** 2;
const RUNNER_BYTES_MAX = 3 * 1024 ** 3;
/** Between two looks at the memory. */
const LOOK_EVERY = 25;

/** Sends mutated files to a daemon of their own. Each case follows from the seed and its number alone. */
export async function fuzz(run: Run): Promise<Tally> {
  const { format, seed, from, count, keep, onCase, msMax = Infinity, caseMsMax = CASE_MS_MAX } = run;
  const folder = mkdtempSync(join(tmpdir(), 'askd-fuzz-files-'));
  const tally: Tally = {
    ...{ answered: 0, refused: 0, crashed: 0, failed: 0 },
    ...{ findings: [], slowestMs: 0, daemonBytes: 0, runnerBytes: 0 },
  };
  try {
    await using daemon = await startDaemon();
    const [seeds, send] = [await format.seeds(), await format.open({ daemon, folder })];
    const endsAt = performance.now() + msMax;
    for (let index = from; index < from + count && performance.now() < endsAt; index++) {
      const file = caseOf({ format, seed, index, seeds });
      const what = await countReply(tally, caseMsMax, () => send(file));
      if (index % LOOK_EVERY === 0 || index === from + count - 1) await look(tally, daemon);
      const reason = daemon.hasEnded() ? 'the daemon ended' : (what ?? overMemory(tally));
      if (reason !== undefined)
        tally.findings.push({
          index,
          what: reason,
          file: save(keep, `${format.name}-${seed}-${index}`, file),
        });
      if (daemon.hasEnded()) break;
      onCase?.(index - from + 1);
    }
    return tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Case = Pick<Run, 'format' | 'seed'> & { index: number; seeds: readonly Buffer[] };

export function caseOf({ format, seed, index, seeds }: Case): Buffer {
  const random = createRandom(seed, format.name, index);
  return format.mutate(random.pick(seeds), random, random.pick(seeds));
}

/** Counts the reply, and says what is wrong with it. */
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

/** A crash in native code costs its runner alone, so it is counted and no failure. */
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

function save(keep: string, name: string, file: Buffer): string {
  mkdirSync(keep, { recursive: true });
  const path = join(keep, name);
  writeFileSync(path, file);
  return path;
}
