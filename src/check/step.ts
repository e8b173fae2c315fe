import type { ModelManifest } from '../runtime/manifest.ts';
import type { Runner } from '../runtime/runner.ts';

/**
 * `weak` is a worse answer than a good model gives; `failed` means that no request can rely on it. `skipped` says why
 * there is no result.
 */
export type StepStatus = 'passed' | 'weak' | 'failed' | 'skipped';

export type Finding = {
  status: StepStatus;
  /** One sentence for a person. */
  message: string;
  /** Tokens per second of all streams together, by the number of streams. */
  tokensPerSecond?: Readonly<Record<string, number>>;
  /** What this step adds to the verdict about the model: `tools in its own format`. */
  remark?: string;
};

export type StepResult = Finding & { name: string; seconds: number };

/** A model under check. */
export type Subject = {
  manifest: ModelManifest;
  /** The loaded runner and what it can do. */
  runner: Runner;
  /** Whether the check may take minutes. */
  isFull: boolean;
  /** As measured at the last heartbeat, or 0, and what the load was expected to take. */
  memory: () => { bytes: number; estimatedBytes: number };
  /** Waits for a slot of the model and holds it during the work. */
  withSlot<Result>(work: (runner: Runner) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** A folder for audio that its runner can read. */
  uploads: string;
  /** Speech of a known text as a WAV file, if this machine has a voice. */
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
