import { availableParallelism } from 'node:os';
import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Calibration, ThreadMeasurement } from '../../../../src/runtime/engine.ts';
import { flashAttentionOf } from './limits.ts';
import { coresOfOthers, coresStolen, readMachineLoad } from '../scheduling/machine-load.ts';

/** A decode of one token, as for one request, and of several, as for concurrent requests. */
const DECODES = [1, 4];
const TOKENS_PER_ROUND = DECODES.reduce((sum, tokens) => sum + tokens, 0);
const ROUNDS_MIN = 3;
const ROUNDS_MAX = 7;
const BUDGET_MS = 600;
/** One more thread takes a core from others, so it has to pay off. */
const WORTH = 0.95;
const CONTEXT_TOKENS = 64;

/** Below this time, a single-threaded token is too quick for more threads to pay off. */
const SMALL_MODEL_MS_MAX = 2;

/** Below this, a token keeps askd itself busy for as long as the model. */
const QUICK_MODEL_MS_MAX = 1;

/** Below this, a request costs more than its tokens, and the load does not wait to try more threads. */
const TINY_MODEL_MS_MAX = 0.5;
/** How much slower the first round of such a model may be. */
const FIRST_ROUND_TIMES_MAX = 10;

/** Above this, a measurement says more about the machine than about the model. */
const CALM_CORES_MAX = 0.25;

/** A context with this many threads, and the work by which contexts are compared. */
export type Trial = {
  /** Milliseconds a token. */
  msOfRound(): Promise<number>;
  dispose(): Promise<void>;
  /** If one thread is as fast as this, no more are tried. */
  msEnough?: number;
};
export type OpenTrial = (model: LlamaModel, threads: number) => Promise<Trial>;

type Candidate = Trial & { threads: number; samples: number[] };

/**
 * Measures how many threads suit this model on this machine. A small model is fastest with one, because threads wait
 * for each other after every operation. Candidates take turns and the best round of each counts, so that a busy
 * moment does not decide.
 */
export async function calibrateThreads(
  model: LlamaModel,
  signal: AbortSignal,
  openTrial: OpenTrial = openDecodeTrial,
): Promise<Calibration> {
  const candidates: Candidate[] = [];
  const before = readMachineLoad();
  try {
    for (const threads of threadCandidates(model)) {
      const candidate = { ...(await openTrial(model, threads)), threads, samples: [] };
      candidates.push(candidate);
      if (await isEnough(candidate)) break;
    }
    if (!candidates.every(({ samples }) => samples.length > 0)) await measure(candidates, signal);
    const measurements = candidates.map(({ threads, samples }) => ({
      threads,
      msPerToken: Math.min(...samples),
    }));
    const after = readMachineLoad();
    const isCalm = coresOfOthers(before, after) + coresStolen(before, after) <= CALM_CORES_MAX;
    const answersByToken = candidates[0]?.msEnough !== undefined;
    const eligible = answersByToken ? leaveCore(measurements) : measurements;
    const threads = isCalm ? chooseThreads(eligible) : chooseUnderLoad(eligible);
    return { threads, measurements, isCalm };
  } finally {
    for (const candidate of candidates) await candidate.dispose();
  }
}

/** The fewest threads that no other count beats by more than a little. */
export function chooseThreads(measurements: readonly ThreadMeasurement[]): number {
  const [first, ...more] = measurements.toSorted((a, b) => a.threads - b.threads);
  let chosen = first;
  for (const next of more) if (chosen && next.msPerToken < chosen.msPerToken * WORTH) chosen = next;
  return chosen?.threads ?? 1;
}

/** Between the tokens of a quick model, askd itself needs a core: one that waits for the model makes each token late. */
export function leaveCore(measurements: readonly ThreadMeasurement[]): readonly ThreadMeasurement[] {
  const alone = measurements.find(({ threads }) => threads === 1);
  if (!alone || alone.msPerToken > QUICK_MODEL_MS_MAX) return measurements;
  const most = Math.max(...measurements.map(({ threads }) => threads));
  return measurements.filter(({ threads }) => threads === 1 || threads < most);
}

/**
 * A busy machine makes more threads look slow. So a slow model keeps all of them, and the governor takes away what
 * others need; a small one keeps what was measured.
 */
export function chooseUnderLoad(measurements: readonly ThreadMeasurement[]): number {
  const alone = measurements.find(({ threads }) => threads === 1);
  if (!alone || alone.msPerToken <= SMALL_MODEL_MS_MAX) return chooseThreads(measurements);
  return Math.max(...measurements.map(({ threads }) => threads));
}

/** One, powers of two, and the number of physical cores. */
export function threadSteps(cores: number): number[] {
  const steps = [1];
  for (let threads = 2; threads < cores; threads *= 2) steps.push(threads);
  return cores > 1 ? [...steps, cores] : steps;
}

function threadCandidates(model: LlamaModel): number[] {
  return threadSteps(Math.max(1, Math.min(model.llama.cpuMathCores, availableParallelism())));
}

/** For generating models: what counts is the decode speed. */
async function openDecodeTrial(model: LlamaModel, threads: number): Promise<Trial> {
  const context = await model.createContext({
    contextSize: CONTEXT_TOKENS,
    batchSize: Math.max(...DECODES),
    threads,
    ...(flashAttentionOf(model) === 'off' && { flashAttention: false }),
    // Its few kilobytes need no estimate, which takes longer than the context itself.
    ignoreMemorySafetyChecks: true,
    failedCreationRemedy: false,
  });
  const sequence = context.getSequence();
  async function decode(): Promise<void> {
    for (const tokens of DECODES) {
      await sequence.evaluateWithoutGeneratingNewTokens(new Array<Token>(tokens).fill(0 as Token));
    }
  }
  return {
    msEnough: TINY_MODEL_MS_MAX,
    async msOfRound() {
      const startedAt = performance.now();
      await decode();
      const ms = performance.now() - startedAt;
      await sequence.clearHistory();
      return ms / TOKENS_PER_ROUND;
    },
    dispose: () => context.dispose(),
  };
}

/** Each starts with a round that reads the weights, and does not count. */
async function isEnough(candidate: Candidate): Promise<boolean> {
  const { samples, threads, msEnough } = candidate;
  const firstMs = await candidate.msOfRound();
  if (threads > 1 || msEnough === undefined || firstMs > msEnough * FIRST_ROUND_TIMES_MAX) return false;
  const ms = await candidate.msOfRound();
  samples.push(ms);
  return ms <= msEnough;
}

async function measure(candidates: readonly Candidate[], signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (const candidate of candidates) {
      signal.throwIfAborted();
      candidate.samples.push(await candidate.msOfRound());
    }
    if (round + 1 >= ROUNDS_MIN && performance.now() - startedAt > BUDGET_MS) return;
  }
}
