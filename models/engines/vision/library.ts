import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';

type Variant = 'default' | 'vulkan' | 'cuda';

/** The part of @fugood/llama.node that is used here; the package ships sources instead of declarations. */
export type Library = {
  toggleNativeLog(isCaught: boolean): Promise<void>;
  addNativeLogListener(listen: (level: string, text: string) => void): void;
  isLibVariantAvailable(variant: Variant): Promise<boolean>;
  getBackendDevicesInfo(variant: Variant): Promise<{ backend: string; type: string }[]>;
  loadModel(options: ModelOptions, onProgress: (percent: number) => void): Promise<Context>;
};

type ModelOptions = {
  model: string;
  n_ctx: number;
  n_parallel: number;
  n_threads: number;
  n_gpu_layers: number;
  ctx_shift: boolean;
  kv_unified: boolean;
  lib_variant: Variant;
};

export type Context = {
  initMultimodal(options: { path: string; use_gpu: boolean }): boolean;
  getMultimodalSupport(): { vision: boolean };
  tokenize(text: string, options: { media_paths: readonly string[] }): Promise<{ tokens: Int32Array }>;
  parallel: {
    enable(options: { n_parallel: number }): Promise<boolean>;
    completion(options: CompletionOptions, onToken: OnToken): Promise<RunningCompletion>;
    getStatus(): { requests: { request_id: number }[] };
    disable(): void;
  };
  release(): Promise<void>;
};

export type CompletionOptions = {
  prompt: string;
  media_paths?: readonly string[];
  n_predict: number;
  temperature: number;
  top_k: number;
  top_p: number;
  min_p: number;
  typical_p: number;
  penalty_repeat: number;
  penalty_present: number;
  penalty_freq: number;
  penalty_last_n: number;
  seed: number;
  grammar?: string;
  /** The grammar applies from one of these texts on. */
  grammar_lazy?: boolean;
  grammar_triggers?: { type: number; value: string }[];
  /** Control tokens that must be visible in the text. */
  preserved_tokens?: string[];
};

type OnToken = (requestId: number, piece: { token: string }) => void;
type RunningCompletion = { requestId: number; promise: Promise<CompletionOutcome>; stop: () => void };

export type CompletionOutcome = {
  tokens_predicted: number;
  stopped_eos: boolean;
  stopped_limit: boolean;
  context_full: boolean;
  timings: { cache_n: number };
};

const STDOUT = 1;
const STDERR = 2;

/** From the folder of packages that the daemon names: this engine is optional. */
export async function openLibrary(modules: string | undefined): Promise<Library> {
  if (modules === undefined) {
    throw new Failure(
      'engine_not_installed',
      'The engine "vision" is not installed. Install it: askd engines install vision',
      { details: { fix: 'askd engines install vision' } },
    );
  }
  silence(STDOUT);
  try {
    const library = createRequire(join(modules, 'index.js'))('@fugood/llama.node') as Library;
    library.addNativeLogListener(reportTrouble);
    await library.toggleNativeLog(true);
    return library;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'model_load_failed',
      `The engine "vision" does not run on this machine: ${reason}. Try: askd engines remove vision, then install it again`,
      { cause },
    );
  }
}

/** To stderr, which the daemon logs; llama.cpp is talkative about everything else. */
function reportTrouble(level: string, text: string): void {
  if (/^(warn|error)/i.test(level)) console.error(text.trimEnd());
}

const silent = new Set<number>();

/** The library prints every prompt, which does not belong in a log, and has no option to turn that off. */
function silence(descriptor: number): void {
  if (silent.has(descriptor) || process.send === undefined) return;
  silent.add(descriptor);
  closeSync(descriptor);
  // The lowest free descriptor is the one just closed.
  openSync(devNull, 'w');
}

/** Called before the first prompt: errors of loading are in the log, and nothing after them is. */
export function silencePrompts(): void {
  silence(STDERR);
}
