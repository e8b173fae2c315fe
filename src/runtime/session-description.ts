import type { CacheType, FlashAttention } from '../config/context-cache.ts';

/** What a loaded model reports about itself. */
export type SessionDescription = {
  /** For a chat model: what its chat template supports. */
  chat?: ChatAbilities;
  slots: number;
  contextTokens: number;
  threads: number;
  device: string;
  /** For a llama model: how many of its layers are on cards. */
  layers?: { onCards: number; all: number };
  /** For the llama engine: as shipped with askd, or compiled on this machine. */
  build?: 'prebuilt' | 'local';
  /** For a model with a context. */
  flashAttention?: FlashAttention;
  cacheType?: CacheType;
  /** What drafts tokens: `prompt`, or the id of a draft model. */
  draftedBy?: string;
  /** Why it evaluates texts one at a time, if `exactVectors` would allow more. */
  textsAlone?: string;
  /** Why it does not run where one would expect. */
  fallback?: string;
  /** Its memory as reported by the engine after loading. */
  memory?: { ram: number; vram: number };
  /** The graphics cards that the engine can use, if there are any. */
  graphics?: GraphicsMemory;
  /** Prompt tokens are known only after the answer: earlier counts are estimates for the hold. */
  countsAreEstimates?: true;
  /** Present if this load measured the thread count itself. */
  calibration?: Calibration;
};

/** `tools` says what renders the tools: the model's own template, or our generic text. */
export type ChatAbilities = { tools: 'template' | 'generic'; thinks: boolean };

export type GraphicsMemory = {
  /** The engine's name for it: cuda, vulkan, metal. */
  kind: string;
  devices: readonly string[];
  totalBytes: number;
  /** Shared with the machine's memory, as on Apple silicon. */
  isShared: boolean;
};

export type Calibration = {
  threads: number;
  measurements: ThreadMeasurement[];
  /** Whether the machine was idle, so that the result is worth keeping. */
  isCalm: boolean;
};

export type ThreadMeasurement = { threads: number; msPerToken: number };
