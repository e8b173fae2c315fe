import { setMaxListeners } from 'node:events';
import { anySignal } from '../base/any-signal.ts';
import { toFailure, type FailureCode } from '../base/errors.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Pool } from '../runtime/pool.ts';
import type { Runner } from '../runtime/runner.ts';
import { againstEarlier } from './earlier-speed.ts';
import type { Check, KeptChecks } from './kept-checks.ts';
import { checkLoad } from './load.ts';
import { failed, skipped, weak, type Finding, type Step, type StepResult, type Subject } from './step.ts';
import { STEPS } from './steps.ts';
import { summaryOf, verdictOf } from './verdict.ts';

export type CheckEvent =
  { type: 'running'; step: string } | { type: 'finished'; step: StepResult } | { type: 'done'; check: Check };

export type CheckOptions = {
  pool: Pool;
  /** The memory that a load is expected to take, in bytes. */
  estimate: (manifest: ModelManifest) => { weights: number; cache: number; overhead: number };
  kept: KeptChecks;
  /** A folder for audio that runners can read. */
  uploads: string;
  /** Speaks for the models that transcribe. */
  speak: () => Subject['speak'];
};

export type Checks = ReturnType<typeof createChecks>;

type Limits = { stepMs: number; totalMs: number };
const QUICK: Limits = { stepMs: 20_000, totalMs: 60_000 };
const FULL: Limits = { stepMs: 900_000, totalMs: 3_600_000 };

/** The model does not support it, which is no fault of its file. A text that it cannot process is `invalid_value`. */
const UNABLE: readonly FailureCode[] = [
  'unsupported_parameter',
  'unsupported_schema',
  'model_capability_mismatch',
  'context_length_exceeded',
  'context_too_small',
  'engine_not_installed',
  'offline',
  'upstream_unavailable',
];

/** Finds out what is wrong with a model on this machine before its first user does. */
export function createChecks({ kept, pool, estimate, uploads, speak }: CheckOptions) {
  const find = (manifest: ModelManifest) => kept.find(manifest);

  async function* check(
    manifest: ModelManifest,
    { isFull }: { isFull: boolean },
    client: AbortSignal,
  ): AsyncGenerator<CheckEvent> {
    const limits = isFull ? FULL : QUICK;
    const wasLoaded = pool.status().some(({ artifact }) => artifact === manifest.id);
    const own = counted(pool);
    const results: StepResult[] = [];
    const finish = (step: StepResult): CheckEvent => {
      results.push(step);
      return { type: 'finished', step };
    };
    yield { type: 'running', step: 'load' };
    const load = await timed('load', () => checkLoad(manifest, own, client), { client });
    yield finish(load);
    if (load.status === 'passed' || load.status === 'weak') {
      using lease = await own.lease(manifest, client);
      const subject = subjectOf({ manifest, pool: own, isFull }, lease.runner);
      const deadline = AbortSignal.timeout(limits.totalMs);
      for (const step of STEPS.filter((each) => each.applies(subject))) {
        yield { type: 'running', step: step.name };
        const result = await runStep(step, subject, { client, deadline, limits });
        yield finish(result);
        // One reason is enough for the verdict.
        if (result.status === 'failed' && !isFull) break;
      }
    }
    // Somebody else may be using it by now.
    if (!wasLoaded && pool.leasesOf(manifest.id) === own.count()) await pool.stop(manifest.id);
    yield { type: 'done', check: conclude(manifest, results, isFull) };
  }

  function subjectOf({ manifest, pool, isFull }: Asked, runner: Runner): Subject {
    return {
      manifest,
      runner,
      isFull,
      uploads,
      speak: speak(),
      memory: () => {
        const { weights, cache, overhead } = estimate(manifest);
        return { bytes: runner.memoryBytes, estimatedBytes: weights + cache + overhead };
      },
      async withSlot(work, signal) {
        using slot = await pool.slot(manifest, signal);
        return await work(slot.runner);
      },
    };
  }

  function conclude(manifest: ModelManifest, results: StepResult[], isFull: boolean): Check {
    const steps = againstEarlier(results, find(manifest));
    const tokensPerSecond = steps.find((step) => step.tokensPerSecond)?.tokensPerSecond ?? {};
    const judged = { verdict: verdictOf(steps), summary: summaryOf(manifest, steps) };
    return kept.keep(manifest, { ...judged, isFull, steps, tokensPerSecond });
  }

  return { check, find };
}

type Users = Pick<Pool, 'lease' | 'slot'>;
type Asked = { manifest: ModelManifest; pool: Users; isFull: boolean };

/** The pool, counting its requests. */
function counted(pool: Users): Users & { count: () => number } {
  let leases = 0;
  return {
    lease: (...wanted) => ((leases += 1), pool.lease(...wanted)),
    slot: (...wanted) => ((leases += 1), pool.slot(...wanted)),
    count: () => leases,
  };
}

type Running = { client: AbortSignal; deadline: AbortSignal; limits: Limits };

function runStep(step: Step, subject: Subject, { client, deadline, limits }: Running): Promise<StepResult> {
  const own = AbortSignal.timeout(limits.stepMs);
  const signal = anySignal(client, deadline, own);
  // A step has many requests at the same time, and each listens.
  setMaxListeners(0, signal);
  const isLate = () => own.aborted || deadline.aborted;
  return timed(step.name, () => step.run(subject, signal), { client, isLate });
}

type Waiting = { client: AbortSignal; isLate?: () => boolean };

async function timed(
  name: string,
  run: () => Promise<Finding>,
  { client, isLate = () => false }: Waiting,
): Promise<StepResult> {
  const startedAt = performance.now();
  const finding = await run().catch((error: unknown) => {
    client.throwIfAborted();
    return isLate() ? skipped(TOO_SLOW) : findingOf(error);
  });
  return { name, seconds: Math.round(performance.now() - startedAt) / 1000, ...finding };
}

const TOO_SLOW = 'it took too long on this machine; askd check --full gives it more time';

function findingOf(error: unknown): Finding {
  const { code, message } = toFailure(error);
  if (code === 'internal_error' && error instanceof Error) return failed(error.message);
  if (UNABLE.includes(code)) return skipped(message);
  return code === 'invalid_value' ? weak(message) : failed(message);
}
