import type { PromptCacheCounts } from '../config/prompt-cache.ts';
import type { DraftCounts } from '../config/speculative.ts';
import type { FailureCode, FailureDetails } from '../base/errors.ts';
import type { LoadOptions, SessionDescription } from './engine.ts';
import type { ModelManifest } from './manifest.ts';

/**
 * Messages between the daemon and a runner, sent with structured-clone serialization so that typed arrays stay
 * binary.
 */
export type ToRunner =
  | { type: 'load'; manifest: ModelManifest; options: Omit<LoadOptions, 'onProgress'> }
  | { type: 'call'; id: number; method: StreamingMethod | SingleMethod; input: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'ping'; sequence: number }
  | { type: 'shutdown' };

export type FromRunner =
  | { type: 'progress'; fraction: number }
  | { type: 'loaded'; description: SessionDescription; methods: readonly (StreamingMethod | SingleMethod)[] }
  | { type: 'load_failed'; failure: WireFailure }
  | { type: 'event'; id: number; event: unknown }
  | { type: 'events'; id: number; events: readonly unknown[] }
  | { type: 'done'; id: number; result?: unknown; events?: readonly unknown[] }
  | { type: 'failed'; id: number; failure: WireFailure }
  | ({ type: 'pong'; sequence: number; memoryBytes: number } & Counters);

/** What changes while a model is loaded. */
export type Counters = { drafts?: DraftCounts; promptCache?: PromptCacheCounts };

export type WireFailure = {
  code: FailureCode;
  message: string;
  param?: string;
  details?: FailureDetails;
};

/** The methods that a runner carries over IPC: those that stream, and those that answer once. */
export const STREAMING_METHODS = [
  'chat',
  'embed',
  'rerank',
  'classify',
  'classifyByPrompt',
  'translate',
  'transcribe',
  'speak',
  'draw',
] as const;
export const SINGLE_METHODS = ['countTokens', 'tokenize', 'detokenize', 'limitPromptCache'] as const;
export type StreamingMethod = (typeof STREAMING_METHODS)[number];
export type SingleMethod = (typeof SINGLE_METHODS)[number];
export type Method = StreamingMethod | SingleMethod;
