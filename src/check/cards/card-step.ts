import type { Logprob } from '../../runtime/engine.ts';
import type { Device } from '../../runtime/devices/device.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Runner } from '../../runtime/runner.ts';
import type { Finding } from '../step.ts';

export type CardFinding = Finding & { name: string; speed?: number };

/** `speed` is in tokens per second. */
export type CardRow = CardFinding & { seconds: number };

export type Load = {
  slots: number;
  contextTokens: number;
  /** Undefined means the processor. */
  cards: readonly Device[];
  /** As many as fit, if absent. */
  gpuLayers?: number;
};

/** A card under check. */
export type CardSubject = {
  card: Device;
  /** A card of the same backend, if one has not yet been checked together with this one. */
  second: Device | undefined;
  starter: ModelManifest;
  synthetic: ModelManifest;
  /** Of the synthetic model. */
  layers: number;
  start: (manifest: ModelManifest, load: Load, signal: AbortSignal) => Promise<Runner>;
  /** Undefined if the driver does not report it, and for a card that shares the memory of the machine. */
  freeBytes: () => Promise<number | undefined>;
  /** What the processor generates. */
  expected: () => Promise<readonly (readonly Logprob[])[]>;
};

export type CardStep = {
  name: string;
  run(subject: CardSubject, signal: AbortSignal): AsyncIterable<CardFinding>;
};
