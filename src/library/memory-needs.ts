import { existsSync, statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { CACHE_ELEMENT_BYTES, type CacheType, type FlashAttention } from '../config/context-cache.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';
import { readGgufHeader, type GgufShape } from './formats/gguf-header.ts';

export type Load = {
  contextTokens: number;
  slots: number;
  cacheType: CacheType;
  /** Without it, the attention scores of a whole batch are in memory. */
  flashAttention?: FlashAttention;
};

/** `cache` grows with context and slots; `overhead` is always host memory, wherever the model runs. */
export type MemoryNeed = { weights: number; cache: number; overhead: number };

export type MeasuredNeed = { ram: number; vram: number; device: string };

export type MemoryNeeds = ReturnType<typeof createMemoryNeeds>;

/** A runner with its native library loaded and no model. */
const RUNNER_BYTES = 110_000_000;
/** Tokens per batch, which determines the compute buffers. */
const BATCH_TOKENS = 512;
const BUFFER_ELEMENT_BYTES = 4;
const MASK_ELEMENT_BYTES = 2;

const NO_NEED = { weights: 0, cache: 0 };

/** The memory of a model: measured at an earlier load, otherwise estimated from its file. */
export function createMemoryNeeds({ store, clock }: { store: Store; clock: Clock }) {
  const shapes = new Map<string, GgufShape | undefined>();

  function shapeOf({ path, bytes }: Pick<ModelManifest, 'path' | 'bytes'>): GgufShape | undefined {
    const key = `${path} ${bytes}`;
    if (!shapes.has(key)) shapes.set(key, readShape(path));
    return shapes.get(key);
  }

  function needOf(file: Pick<ModelManifest, 'path' | 'bytes'>, load: Load) {
    const weights = file.bytes || sizeOf(file.path);
    const shape = shapeOf(file);
    return { weights, cache: shape ? cacheBytes(shape, load) : 0 };
  }

  return {
    estimate(manifest: ModelManifest, load: Load): MemoryNeed {
      const { contextTokens, slots, cacheType } = load;
      const own = needOf(manifest, load);
      // Before it is downloaded, only the catalogue knows its shape.
      if (own.cache === 0) {
        const { kvBytesPerToken = 0 } = manifest.memory ?? {};
        const share = CACHE_ELEMENT_BYTES[cacheType] / CACHE_ELEMENT_BYTES.f16;
        own.cache = Math.ceil(kvBytesPerToken * share * contextTokens * slots);
      }
      // The draft model keeps its own context size.
      const draft = manifest.draft ? needOf(manifest.draft, { ...load, cacheType: 'f16' }) : NO_NEED;
      return {
        weights: own.weights + draft.weights,
        cache: own.cache + draft.cache,
        overhead: RUNNER_BYTES,
      };
    },

    measured(manifest: ModelManifest, { contextTokens, slots, cacheType }: Load): MeasuredNeed | undefined {
      return store
        .prepare<MeasuredNeed>(
          `SELECT ram_bytes AS ram, vram_bytes AS vram, device FROM measured_memory
           WHERE artifact = ? AND context_tokens = ? AND slots = ? ORDER BY measured_at DESC LIMIT 1`,
        )
        .get(fingerprint(manifest, cacheType), contextTokens, slots);
    },

    keep(manifest: ModelManifest, load: Load, { device, ram, vram }: MeasuredNeed): void {
      const { contextTokens, slots, cacheType } = load;
      store
        .prepare(
          `INSERT OR REPLACE INTO measured_memory(artifact, context_tokens, slots, device, ram_bytes, vram_bytes, measured_at)
           VALUES(?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(fingerprint(manifest, cacheType), contextTokens, slots, device, ram, vram, clock.now());
    },
  };
}

/** For a model that is not on this machine yet: its weights, one context and the runner. */
export function memoryOfShape(bytes: number, shape: GgufShape, contextTokens: number): number {
  return bytes + cacheBytes(shape, { contextTokens, slots: 1, cacheType: 'f16' }) + RUNNER_BYTES;
}

function cacheBytes(shape: GgufShape, load: Load): number {
  const cache = cacheElements(shape, load) * CACHE_ELEMENT_BYTES[load.cacheType];
  return Math.ceil(cache) + bufferBytes(shape) + attentionBytes(shape, load);
}

/** A few times the widest layer of a batch, and the logits of the whole vocabulary. */
function bufferBytes({ embeddingLength, feedForwardLength, vocabularyTokens }: GgufShape): number {
  return (
    (vocabularyTokens + 2 * feedForwardLength + 8 * embeddingLength) * BATCH_TOKENS * BUFFER_ELEMENT_BYTES
  );
}

/** Layers with a window keep that and one batch. */
function cacheElements(shape: GgufShape, { contextTokens, slots }: Load): number {
  const { cacheElementsPerToken, window } = shape;
  const windowTokens = Math.min(contextTokens, window.tokens + BATCH_TOKENS);
  const dense = (cacheElementsPerToken - window.elementsPerToken) * contextTokens;
  return (dense + window.elementsPerToken * windowTokens) * slots;
}

/** The attention mask of a batch and, without flash attention, the scores of each head. */
function attentionBytes({ heads }: GgufShape, { contextTokens, flashAttention }: Load): number {
  const bytes = flashAttention === 'off' ? BUFFER_ELEMENT_BYTES * (heads + 1) : MASK_ELEMENT_BYTES;
  return contextTokens * BATCH_TOKENS * bytes;
}

/** The engine reports what is wrong with a file when it loads it. */
function readShape(path: string): GgufShape | undefined {
  try {
    return readGgufHeader(path).shape;
  } catch {
    return undefined;
  }
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

function fingerprint(manifest: ModelManifest, cacheType: CacheType): string {
  const { id, path, bytes, draft, placement, adapters = [] } = manifest;
  const adapted = adapters.map((adapter) => ` ${adapter.path}`).join('');
  const drafted = draft ? ` ${draft.path} ${draft.bytes}` : '';
  const placed = placement ? ` ${JSON.stringify(placement)}` : '';
  return `${id} ${path} ${bytes}${cacheType === 'f16' ? '' : ` ${cacheType}`}${drafted}${adapted}${placed}`;
}
