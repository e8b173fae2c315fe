import type { DraftCounts } from '../config/speculative.ts';
import type { FailureCode, FailureDetails } from '../base/errors.ts';
import type { LoadOptions, SessionDescription, SingleMethod, StreamingMethod } from './engine.ts';
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
  | { type: 'pong'; sequence: number; memoryBytes: number; drafts?: DraftCounts };

export type WireFailure = {
  code: FailureCode;
  message: string;
  param?: string;
  details?: FailureDetails;
};
