import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFile } from '../../src/base/paths.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { caseOf, type Case } from './cases.ts';
import type { Run } from './run.ts';
import type { FromParser, ToParser } from './parse-messages.ts';
import { emptyTally, save, type Tally } from './tally.ts';
import { limitTime } from './time-limit.ts';

const BYTES_MAX = 3 * 1024 ** 3;
/** Of work, to start and to read the seeds. */
const START_MS_MAX = 60_000;
/** Without a debugger, which llama.cpp would start over each crash. */
const ENVIRONMENT = { ...readEnvironment().env, GGML_NO_BACKTRACE: '1' };

/**
 * Gives mutated files straight to the code that reads them, in separate processes, one per core. One that hangs or
 * dies is replaced, and the next case continues.
 */
export async function parseAll(run: Run): Promise<Tally> {
  const { format, seed, from, count, lanes = availableParallelism() } = run;
  const folder = mkdtempSync(join(tmpdir(), 'askd-fuzz-files-'));
  const tally = emptyTally();
  const endsAt = performance.now() + (run.msMax ?? Infinity);
  const seeds = await format.seeds();
  const note = (index: number, what: string) => {
    const file = caseOf({ format, seed, index, seeds } satisfies Case);
    tally.findings.push({ index, what, file: save(run.keep, `${format.name}-${seed}-${index}`, file) });
  };
  async function lane(number: number): Promise<void> {
    const place = join(folder, String(number));
    let next = from + number;
    while (next < from + count && performance.now() < endsAt) {
      const order = { name: format.name, seed, from: next, end: from + count, step: lanes, folder: place };
      const last = await watch(order, { tally, note, endsAt });
      if (last === undefined) return;
      next = last + lanes;
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
    tally.findings.sort((a, b) => a.index - b.index);
    return tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Books = {
  tally: Tally;
  note: (index: number, what: string) => void;
  endsAt: number;
};
type Begun = Extract<FromParser, { type: 'begins' }>;

/** Resolves to the case that ended the process, or to undefined if all are done or the time is up. */
function watch(order: ToParser, books: Books): Promise<number | undefined> {
  const child = fork(builtFile('scripts/fuzz/parse-process.js'), { stdio: 'ignore', env: ENVIRONMENT });
  const { tally, note, endsAt } = books;
  let begun: Begun | undefined;
  let isOver = false;
  let isLate = false;
  const bound = (msMax: number) =>
    limitTime(child.pid ?? 0, msMax, () => {
      isLate = true;
      child.kill('SIGKILL');
    });
  let limit = bound(START_MS_MAX);
  child.on('message', (message: FromParser) => {
    limit.end();
    if (message.type === 'begins') {
      begun = message;
      limit = bound(message.msMax);
      return;
    }
    isOver = message.type === 'over' || performance.now() > endsAt;
    if (message.type === 'done') count(message, limit.spentMs(), books);
    begun = undefined;
    limit = bound(START_MS_MAX);
    if (isOver) child.kill('SIGKILL');
  });
  child.send(order);
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      limit.end();
      if (isOver) return resolve(undefined);
      if (begun === undefined)
        return reject(new Error(`The parser of ${order.name} ended with ${code ?? signal}`));
      const { index, isRunner, msMax } = begun;
      if (isRunner && !isLate) tally.crashed += 1;
      else {
        tally.failed += 1;
        note(index, isLate ? `it took more than ${msMax} ms` : `the process ended with ${code ?? signal}`);
      }
      resolve(index);
    });
  });
}

type Done = Extract<FromParser, { type: 'done' }>;

function count({ index, outcome, what, bytes }: Done, spentMs: number, { tally, note }: Books): void {
  tally[outcome] += 1;
  tally.slowestMs = Math.max(tally.slowestMs, spentMs);
  tally.runnerBytes = Math.max(tally.runnerBytes, bytes);
  if (outcome === 'failed') note(index, what ?? '');
  else if (bytes > BYTES_MAX) note(index, `the process takes ${Math.round(bytes / 1e6)} MB`);
}
