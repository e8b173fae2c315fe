import type { CacheType, FlashAttention } from '../config/context-cache.ts';

/** What a loaded model says of itself. */
export type SessionDescription = {
  /** Of a model that chats: what its chat template can do. */
  chat?: ChatAbilities;
  slots: number;
  contextTokens: number;
  threads: number;
  device: string;
  /** Of the llama engine: as it came with askd, or compiled on this machine. */
  build?: 'prebuilt' | 'local';
  /** Of a model that keeps a context. */
  flashAttention?: FlashAttention;
  cacheType?: CacheType;
  /** What guesses the next tokens: `prompt`, or the id of a smaller model. */
  draftedBy?: string;
  /** Why it does not run where one would expect it to. */
  fallback?: string;
  /** What it takes, by what the engine says after loading. */
  memory?: { ram: number; vram: number };
  /** The graphics cards that the engine can use, if there are any. */
  graphics?: GraphicsMemory;
  /** The tokens of a prompt are known only after the answer: what is counted before is a guess for what to hold. */
  countsAreEstimates?: true;
  /** Present when this load measured the thread count itself. */
  calibration?: Calibration;
};

/** `tools` says who writes the tools into the prompt: the model's own template, or a general text of ours. */
export type ChatAbilities = { tools: 'template' | 'generic'; thinks: boolean };

export type GraphicsMemory = {
  /** As the engine names it: cuda, vulkan, metal. */
  kind: string;
  devices: readonly string[];
  totalBytes: number;
  /** Taken from the machine's own memory, as on Apple silicon. */
  isShared: boolean;
};

export type Calibration = {
  threads: number;
  measurements: ThreadMeasurement[];
  /** Whether the machine had nothing else to do, so that the result is worth keeping. */
  isCalm: boolean;
};

export type ThreadMeasurement = { threads: number; msPerToken: number };
