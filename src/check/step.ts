import type { ModelManifest } from '../runtime/manifest.ts';
import type { Runner } from '../runtime/runner.ts';

/**
 * `weak` is an answer worse than a good model's; `failed` is something that no request can rely on. `skipped` says
 * why there is no result.
 */
export type StepStatus = 'passed' | 'weak' | 'failed' | 'skipped';

export type Finding = {
  status: StepStatus;
  /** One sentence for a person. */
  message: string;
  /** Tokens per second of all streams together, by the number of streams. */
  tokensPerSecond?: Readonly<Record<string, number>>;
  /** What the verdict says of the model because of this step: `tools in its own format`. */
  remark?: string;
};

export type StepResult = Finding & { name: string; seconds: number };

/** A model under check. */
export type Subject = {
  manifest: ModelManifest;
  /** The runner as it was loaded: what it can do. */
  runner: Runner;
  /** Whether minutes may be spent. */
  isFull: boolean;
  /** Measured at the last heartbeat, or 0, and what the load was expected to take. */
  memory: () => { bytes: number; estimatedBytes: number };
  /** Waits for a slot of the model and holds it for the work. */
  withSlot<Result>(work: (runner: Runner) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** The folder of sound that its runner can read. */
  uploads: string;
  /** Speech of a known text in a WAV file, where a voice is on this machine. */
  speak?: ((text: string, path: string, signal: AbortSignal) => Promise<void>) | undefined;
};

export type Step = {
  name: string;
  applies(subject: Subject): boolean;
  run(subject: Subject, signal: AbortSignal): Promise<Finding>;
};

export const passed = (message: string, remark?: string): Finding => finding('passed', message, remark);
export const weak = (message: string, remark?: string): Finding => finding('weak', message, remark);
export const failed = (message: string): Finding => finding('failed', message);
export const skipped = (message: string): Finding => finding('skipped', message);

function finding(status: StepStatus, message: string, remark?: string): Finding {
  return { status, message, ...(remark !== undefined && { remark }) };
}
